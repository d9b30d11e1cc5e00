// OpenAPI: the description of every call, generated from the contract, so that the two cannot differ.
import { z } from 'zod'
import { keyAreas } from '#contract/api-keys.ts'
import { endpointsOf, pathFields, type Endpoint } from '#contract/endpoint.ts'
import { ReportRun } from '#contract/report-runs.ts'
import * as reports from '#contract/reports.ts'
import { isOpen } from '#server/access/policies.ts'
import { exampleOf } from '#server/api/examples.ts'
import { areaGuide } from '#server/api/area-guide.ts'
import { summaryOf } from '#server/api/call-guide.ts'
import { guide } from '#server/api/guide.ts'
import { webhooksOf } from '#server/api/openapi-webhooks.ts'
import { openSchemas, type SchemaJson, type Schemas } from '#server/api/openapi-schemas.ts'
import { refusalResponses, refusalsOf, retryAfterHeader } from '#server/api/openapi-refusals.ts'

export function openApi(contracts: readonly object[], public_url: string): SchemaJson {
  const schemas = openSchemas(contracts)
  const calls = contracts.flatMap((contract) => endpointsOf(contract))
  const paths: Record<string, SchemaJson> = {}
  for (const [name, endpoint] of calls)
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(name, endpoint, schemas)
  const webhooks = webhooksOf(schemas)
  const responses = refusalResponses(schemas)
  const components = schemas.components()
  // A shape that only a form takes is described by the form's own schema instead.
  const used = JSON.stringify([paths, webhooks, responses, components])
  const isUsed = ([name]: [string, unknown]) => used.includes(`"#/components/schemas/${name}"`)
  const areas = [...new Set(calls.map(([, { area }]) => area))].toSorted((a, b) => a.localeCompare(b))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Foyer',
      version: '1',
      description: guide,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Foyer' },
    },
    servers: [{ url: `${public_url}/api/v1`, description: 'This installation.' }],
    tags: areas.map((area) => ({ name: areaGuide[area].title, description: areaGuide[area].description })),
    paths,
    webhooks,
    components: {
      securitySchemes,
      schemas: Object.fromEntries(Object.entries(components).filter(isUsed)),
      responses,
      headers: { RetryAfter: retryAfterHeader },
      parameters: { IdempotencyKey: idempotencyKey },
    },
  }
}

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The `access_token` that `/auth/login` answers.',
  },
  key: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key of a user, a group or a property: it begins with `foyer_`. It needs no `App-Context`, and may do what ' +
      'its permissions say, as far as its owner may.',
  },
  context: {
    type: 'apiKey',
    in: 'header',
    name: 'App-Context',
    description:
      '`customer`, `group` or `property`: what the signed-in user belongs to. It grants nothing; another value than the ' +
      "user's own is refused with 403. `/auth/*` does not need it.",
  },
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same key with the same request gets the first answer again, within 24 hours.',
  schema: { type: 'string', maxLength: 255, examples: ['order-2026-0042'] },
}

const pascal = (words: string) => words.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
const camel = (words: string) => words.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

function operation(name: string, endpoint: Endpoint, schemas: Schemas): SchemaJson {
  const id = `${camel(endpoint.area)}${pascal(name)}`
  const isInSession = endpoint.area === 'sessions'
  const takesKey = endpoint.kind === 'write' && endpoint.gives === 'json' && !isInSession
  return {
    operationId: id,
    tags: [areaGuide[endpoint.area].title],
    ...summaryOf(name, endpoint),
    security: securityOf(endpoint),
    ...asked(pascal(id), endpoint, schemas, takesKey),
    responses: {
      [endpoint.status]: answer(endpoint, schemas),
      ...(mayBegin(endpoint) ? { 202: begun(schemas) } : {}),
      ...refusalsOf(endpoint),
    },
  }
}

/** A file that takes long is made by a run, which is returned instead. */
const mayBegin = ({ path }: Endpoint) => path === reports.exportFile.path
const begun = (schemas: Schemas): SchemaJson => ({
  description:
    'For a long report: the run that makes the file. Download it by `/report-runs-download` when it is done.',
  content: {
    'application/json': {
      schema: schemas.of(z.object({ data: ReportRun.pick({ id: true, outcome: true }) }), 'output'),
      example: { data: { id: 7, outcome: 'queued' } },
    },
  },
})

/** The alternative ways to authenticate. */
function securityOf(endpoint: Endpoint): SchemaJson[] {
  if (isOpen(endpoint)) return []
  if (endpoint.area === 'sessions') return [{ bearer: [] }]
  const asPerson = { bearer: [], context: [] }
  return keyAreas.includes(endpoint.area) ? [asPerson, { key: [] }] : [asPerson]
}

/** Parameters and body: the input's fields are in the path if it names them; the others in the query of a GET, else in the body. */
function asked(Id: string, endpoint: Endpoint, schemas: Schemas, takesKey: boolean): SchemaJson {
  const inPath = pathFields(endpoint.path)
  const whole = schemas.of(endpoint.input, 'input')
  const {
    properties,
    required = [],
    ...rest
  } = schemas.resolve(whole) as {
    properties?: Record<string, SchemaJson>
    required?: string[]
  }
  const fields = Object.entries(properties ?? {})
  const example = exampleOf(endpoint.input, 'input', endpoint.area) as SchemaJson
  const parameter =
    (place: 'path' | 'query') =>
    ([name, schema]: [string, SchemaJson]): SchemaJson => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      schema,
      ...(example[name] === undefined ? {} : { example: example[name] }),
    })
  const elsewhere = fields.filter(([name]) => !inPath.includes(name))
  const parameters = [
    ...fields.filter(([name]) => inPath.includes(name)).map(parameter('path')),
    ...(endpoint.method === 'GET' ? elsewhere.map(parameter('query')) : []),
    ...(takesKey ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ]
  if (endpoint.method === 'GET' || elsewhere.length === 0) return { parameters }

  const must = required.filter((name) => !inPath.includes(name))
  if (endpoint.takes === 'multipart') return upload(Id, { parameters, elsewhere, must, example }, schemas)
  const body = { ...rest, properties: Object.fromEntries(elsewhere), ...(must.length > 0 ? { required: must } : {}) }
  const schema = whole['$ref'] && inPath.length === 0 ? whole : schemas.name(`${Id}Request`, body)
  const shown = Object.fromEntries(Object.entries(example).filter(([name]) => !inPath.includes(name)))
  const content = { 'application/json': { schema, example: shown } }
  return { parameters, requestBody: { required: must.length > 0, content } }
}

interface Form {
  parameters: SchemaJson[]
  elsewhere: [string, SchemaJson][]
  must: string[]
  example: SchemaJson
}

/** A form: a list is a field `name[]` for each of its values, and an import's property may be in the query. */
function upload(Id: string, { parameters, elsewhere, must, example }: Form, schemas: Schemas): SchemaJson {
  const isList = (schema: SchemaJson) => JSON.stringify(schema).includes('"type":"array"')
  const lists = new Set(elsewhere.filter(([, schema]) => isList(schema)).map(([name]) => name))
  const spelt = (name: string) => (lists.has(name) ? `${name}[]` : name)
  const properties = Object.fromEntries(elsewhere.map(([name, schema]) => [spelt(name), schema]))
  const property = elsewhere.find(([name]) => name === 'property_id')
  const inAddress = property && {
    name: property[0],
    in: 'query',
    required: false,
    schema: property[1],
    ...(example[property[0]] === undefined ? {} : { example: example[property[0]] }),
  }
  // What may be in the query is not required in the form.
  const required = must.filter((name) => name !== property?.[0]).map(spelt)
  const body = { type: 'object', properties, ...(required.length > 0 ? { required } : {}) }
  return {
    parameters: [...parameters, ...(inAddress ? [inAddress] : [])],
    requestBody: {
      required: required.length > 0,
      content: { 'multipart/form-data': { schema: schemas.name(`${Id}Request`, body) } },
    },
  }
}

function answer(endpoint: Endpoint, schemas: Schemas): SchemaJson {
  if (endpoint.gives === 'file')
    return {
      description: 'The file.',
      headers: {
        'Content-Disposition': { description: 'The name of the file.', schema: { type: 'string' } },
      },
      content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
    }
  const isList = endpoint.output instanceof z.ZodObject && 'meta' in endpoint.output.shape
  return {
    description:
      endpoint.status === 201 ? 'Made.' : isList ? 'One page of rows, and where the next one begins.' : 'Done.',
    content: {
      'application/json': {
        schema: schemas.of(endpoint.output, 'output'),
        example: exampleOf(endpoint.output, 'output', endpoint.area),
      },
    },
  }
}
