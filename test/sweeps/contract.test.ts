// Contract: the served calls are exactly the promised ones, described and spelt as promised.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpointsOf, pathFields } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { importTemplates } from '#server/files/import-templates.ts'
import { openFoyer, type TestFoyer } from '#test/foyer.ts'
import { calls, shapeOf, takes } from './calls.ts'

const root = path.join(import.meta.dirname, '../..')
const linesOf = (file: string) =>
  fs
    .readFileSync(path.join(root, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))

/** The ids in a schema without a mark by `ref` or `rowOf`. */
function bareIds(schema: z.ZodType, field = ''): string[] {
  const marks = schema.meta() ?? {}
  if ('ref' in marks || 'x-row' in marks) return []
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape as z.ZodRawShape).flatMap(([name, inner]) =>
      // An owner's id is identified by the owner type next to it.
      name === 'owner_id' && 'owner_type' in schema.shape
        ? []
        : bareIds(inner as z.ZodType, field ? `${field}.${name}` : name),
    )
  if (schema instanceof z.ZodArray) return bareIds(schema.element as z.ZodType, field)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => bareIds(option as z.ZodType, field))
  if (schema instanceof z.ZodPipe) return bareIds(schema.out as z.ZodType, field)
  if ('unwrap' in schema && typeof schema.unwrap === 'function') return bareIds(schema.unwrap() as z.ZodType, field)
  return schema instanceof z.ZodNumber && /(^|\.|_)ids?$|Ids?$/.test(field) ? [field] : []
}

let foyer: TestFoyer
beforeAll(async () => void (foyer = await openFoyer()))
afterAll(() => foyer.close())

describe('the list of calls', () => {
  /** Served, but not an endpoint of the contract. */
  const apart = ['GET /openapi.json', ...importTemplates.map((name) => `GET /files/${name}.csv`)]
  const promised = linesOf('docs/endpoints.txt').map((line) => {
    const [, call = '', later] = /^((?:GET|POST) \/\S+)( later)?( # .+)?$/.exec(line) ?? []
    return { line, call, later: later !== undefined }
  })
  const served = [...calls.map(({ name }) => name), ...apart]

  test('is written so that it can be read', () => {
    expect(promised.filter(({ call }) => call === '').map(({ line }) => line)).toEqual([])
    expect(promised.map(({ call }) => call).filter((call, index, all) => all.indexOf(call) !== index)).toEqual([])
  })
  test('names every call that is served', () => {
    expect(served.filter((name) => !promised.some(({ call }) => call === name))).toEqual([])
  })
  test('marks as later exactly what is not served yet', () => {
    const ready = (later: boolean) => promised.filter((one) => one.later === later).map(({ call }) => call)
    expect(
      ready(false).filter((call) => !served.includes(call)),
      'promised and not served',
    ).toEqual([])
    expect(
      ready(true).filter((call) => served.includes(call)),
      'served by now: take the mark away',
    ).toEqual([])
  })
})

describe('every endpoint', () => {
  const modules = import.meta.glob<object>(['../../contract/*.ts', '!../../contract/*.test.ts'], { eager: true })
  const declared = Object.values(modules).flatMap((module) => endpointsOf(module).map(([, endpoint]) => endpoint))

  test('that is declared is served, and nothing else is', () => {
    const names = declared.map(({ method, path }) => `${method} ${path}`)
    expect(calls.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
  })
  test('has an address of its own', () => {
    const names = calls.map(({ name }) => name)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })
  test('finds the fields of its path among those that it asks', () => {
    for (const { name, endpoint } of calls)
      for (const field of pathFields(endpoint.path)) expect(takes(endpoint, field), `${name}: ${field}`).toBe(true)
  })
  test('says of each id in its input whose it is', () => {
    /** Ids that reveal and change nothing, whoever owns the record. */
    const harmless = [
      // These only exclude rows.
      /: (excludeIds|exclude_ids|filters\.\w+)$/,
      // The specification sends them as well; the user is found only by the id in the path.
      /^POST \/users-delete\/\{id\}: (property_id|group_id)$/,
      // The kind next to it identifies it; server/resources/guest-help/guest-help.test.ts tries those of others.
      /^POST \/guest-help-[\w-]+: id$/,
      // With its kind it names an entry that the caller is shown; server/resources/dashboard/dashboard.test.ts tries one of others.
      /^POST \/attention-mark: about_id$/,
      // It only excludes lines of the run, which is identified by its own id.
      /^POST \/billing-runs-export: property_id$/,
      // They may be removed already, and are looked up among the customer's; those of others are tried in
      // server/resources/billing/billing-runs.test.ts.
      /^POST \/occupancy-nights-correct: property_id$/,
      /^POST \/billing-runs-(preview|create): property_ids$/,
      // It is compared with the batch of the code.
      /^POST \/vouchers-validate: batch_id$/,
    ]
    const found = calls.flatMap(({ name, endpoint }) => bareIds(endpoint.input).map((field) => `${name}: ${field}`))
    expect(found.filter((line) => !harmless.some((known) => known.test(line)))).toEqual([])
  })
  test('is routed', () => {
    for (const { name, endpoint } of calls) {
      const url = `/api/v1${endpoint.path.replace(/\{(\w+)\}/g, ':$1')}`
      expect(foyer.app.hasRoute({ method: endpoint.method, url }), name).toBe(true)
    }
  })
})

describe('the OpenAPI document', () => {
  interface Operation {
    operationId: string
    parameters: { name?: string; in?: string; required?: boolean; $ref?: string }[]
    requestBody?: { content: Record<string, { schema: object }> }
    responses: Record<string, { description: string }>
  }
  interface Document {
    openapi: string
    info: { title: string; version: string }
    paths: Record<string, Record<string, Operation>>
  }
  const load = async () => (await foyer.app.inject('/api/v1/openapi.json')).json() as Document

  test('is open to everyone and mentions each call with its parameters and answers', async () => {
    const document = await load()
    expect(document.openapi).toMatch(/^3\.1\.\d$/)
    expect(document.info).toMatchObject({ title: 'Foyer', version: expect.any(String) as string })
    for (const { name, endpoint } of calls) {
      const operation = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()]
      expect(operation, name).toBeDefined()
      const inPath = operation?.parameters.filter((parameter) => parameter.in === 'path') ?? []
      expect(
        inPath.map((parameter) => parameter.name),
        name,
      ).toEqual(pathFields(endpoint.path))
      expect(
        inPath.every((parameter) => parameter.required),
        name,
      ).toBe(true)
      const inBody = Object.keys(shapeOf(endpoint)).some((field) => !pathFields(endpoint.path).includes(field))
      expect(operation?.requestBody !== undefined, name).toBe(endpoint.method === 'POST' && inBody)
      expect(operation?.responses[endpoint.status]?.description, name).toBeTruthy()
    }
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
    expect(operations).toHaveLength(calls.length)
    expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(calls.length)
  })

  test('points only at what is in it', async () => {
    const document: unknown = await load()
    const pointers: string[] = []
    JSON.stringify(document, (key, value: unknown) => {
      if (key === '$ref') pointers.push(String(value))
      return value
    })
    const at = (pointer: string) =>
      pointer
        .slice(2)
        .split('/')
        .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document)
    expect(pointers.length).toBeGreaterThan(calls.length)
    for (const pointer of new Set(pointers)) {
      expect(at(pointer), pointer).toBeDefined()
      expect(at(pointer), pointer).not.toHaveProperty('$ref')
    }
  })
})

describe('the words', () => {
  const sentences = linesOf('test/sweeps/sentences.txt')
  const blank = (sentence: string) => sentence.replaceAll(/\{\w+\}|\d+/g, '{n}')

  /** Every text in messages.ts; those with a number in them for one and for several. */
  const spoken = (value: unknown): string[] => {
    if (typeof value === 'string') return [value]
    if (typeof value === 'function') return [1, 7].map((count) => (value as (count: number) => string)(count))
    return Object.values(value as object).flatMap(spoken)
  }

  test('hold each sentence of the specification, letter for letter', () => {
    const known = new Set(spoken(messages).map(blank))
    expect(sentences.filter((sentence) => !known.has(blank(sentence)))).toEqual([])
  })

  test('are the only place where they stand', () => {
    const sources = ['web', 'server', 'portal', 'contract'].flatMap((floor) =>
      fs.existsSync(path.join(root, floor))
        ? fs
            .readdirSync(path.join(root, floor), { recursive: true, encoding: 'utf8' })
            .map((file) => `${floor}/${file}`)
        : [],
    )
    // One or two words, such as Home or More Filters, may be written elsewhere, too.
    const fixed = sentences
      .map((sentence) => sentence.replace(/^\{n\} /, ''))
      .filter((sentence) => sentence.split(' ').length > 2 && !sentence.includes('{'))
    const repeated = sources
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|^contract\/messages\.ts$/.test(file))
      .flatMap((file) => {
        const source = fs.readFileSync(path.join(root, file), 'utf8').replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '')
        return fixed.filter((sentence) => source.includes(sentence)).map((sentence) => `${file}: ${sentence}`)
      })
    expect(repeated).toEqual([])
  })
})
