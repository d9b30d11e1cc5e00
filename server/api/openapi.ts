// OpenAPI: the description of every call, made from the contract, so that it cannot say anything else.
import { z } from 'zod'
import { pathFields, type Endpoint } from '#contract/endpoint.ts'
import { Refusal } from '#contract/errors.ts'
import { isOpen } from '#server/access/policies.ts'
import type { Resource } from '#server/api/serve.ts'

type Json = Record<string, unknown>

/** Shapes that have a name of their own stand once, in `named`, and are pointed at. */
const schemaOf = (schema: z.ZodType, io: 'input' | 'output', named: Json): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }) as Json
  const pointed = JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json
  const { $defs, ...rest } = pointed
  Object.assign(named, $defs)
  return rest
}

const refusal = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
})

function operation(endpoint: Endpoint, named: Json): Json {
  const inPath = pathFields(endpoint.path)
  const ask = schemaOf(endpoint.input, 'input', named)
  const fields = (ask['properties'] ?? {}) as Json
  const inBody = Object.fromEntries(Object.entries(fields).filter(([name]) => !inPath.includes(name)))
  const required = ((ask['required'] ?? []) as string[]).filter((name) => !inPath.includes(name))
  const asParameter = (place: 'path' | 'query') => (name: string) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: fields[name] ?? {},
  })
  const body = { ...ask, properties: inBody, required }
  const type = endpoint.takes === 'multipart' ? 'multipart/form-data' : 'application/json'
  return {
    operationId: endpoint.path.slice(1).replaceAll(/[^\w]+/g, '_') + (endpoint.method === 'GET' ? '_lookup' : ''),
    tags: [endpoint.area],
    summary: `${endpoint.kind === 'read' ? 'Reads' : 'Changes'}: ${endpoint.path}`,
    security: isOpen(endpoint) ? [] : [{ bearer: [] }],
    parameters: [
      ...inPath.map(asParameter('path')),
      ...(endpoint.method === 'GET' ? Object.keys(inBody).map(asParameter('query')) : []),
      ...(isOpen(endpoint) ? [] : [{ $ref: '#/components/parameters/AppContext' }]),
      ...(endpoint.kind === 'write' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ],
    ...(endpoint.method === 'POST' ? { requestBody: { content: { [type]: { schema: body } } } } : {}),
    responses: {
      [endpoint.status]: {
        description: 'Done.',
        content: { 'application/json': { schema: schemaOf(endpoint.output, 'output', named) } },
      },
      ...(isOpen(endpoint)
        ? {}
        : { 401: refusal('No token, or a dead one.'), 403: refusal('Not for this role or context.') }),
      ...(inPath.length > 0 ? { 404: refusal('Not there, or out of reach: both look alike.') } : {}),
      422: refusal('A field is wrong; `errors` names it.'),
      429: refusal('Too many requests; see Retry-After.'),
    },
  }
}

export function openApi(resources: Resource[], public_url: string): Json {
  const paths: Record<string, Json> = {}
  const named: Json = {}
  schemaOf(Refusal, 'output', named)
  for (const { endpoints } of resources)
    for (const [endpoint] of endpoints)
      (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint, named)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Foyer',
      version: '1',
      description:
        'Nearly every call is a POST. Ask with a bearer token and the header App-Context; lists take `cursor` from `meta.next_cursor`.',
    },
    servers: [{ url: `${public_url}/api/v1` }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: named,
      parameters: {
        AppContext: {
          name: 'App-Context',
          in: 'header',
          required: true,
          description: 'The context in which the caller is signed in. It never grants anything.',
          schema: { enum: ['customer', 'group', 'property'] },
        },
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description: 'The same key with the same request gets the first answer again, within 24 hours.',
          schema: { type: 'string', maxLength: 255 },
        },
      },
    },
  }
}
