// OpenAPI schemas: the contract's shapes as JSON Schema. A shape that a contract exports becomes a schema of that name;
// rows of reports have the name in their id.
import { z } from 'zod'
import { fieldNotes } from '#server/api/guide.ts'
import * as fieldErrors from '#contract/field-errors.ts'
import { kinds as reportKinds } from '#contract/report-kinds.ts'
import * as shapes from '#contract/shapes.ts'

export type SchemaJson = Record<string, unknown>
type Io = 'input' | 'output'

export interface Schemas {
  /** A schema, with references to named ones. */
  of(schema: z.ZodType, io: Io): SchemaJson
  /** Names a schema that only this document has; returns a reference to it. */
  name(name: string, schema: SchemaJson): SchemaJson
  /** The schema that a reference points at; any other schema unchanged. */
  resolve(schema: SchemaJson): SchemaJson
  /** Everything that was named and used, in alphabetical order. */
  components(): SchemaJson
}

const isNamed = (entry: [string, unknown]): entry is [string, z.ZodType] =>
  /^[A-Z]/.test(entry[0]) && entry[1] instanceof z.ZodType

export function openSchemas(contracts: readonly object[]): Schemas {
  const names = z.registry<{ id: string }>()
  for (const module of [fieldErrors, shapes, ...contracts])
    for (const [name, schema] of Object.entries(module).filter(isNamed)) names.add(schema, { id: name })
  for (const schema of reportKinds.flatMap(({ rows }): readonly z.ZodType[] => rows)) {
    const { id } = schema.meta() ?? {}
    if (id !== undefined) names.add(schema, { id })
  }
  const components = new Map<string, SchemaJson>()

  function add(name: string, schema: SchemaJson) {
    const former = components.get(name)
    if (former && JSON.stringify(former) !== JSON.stringify(schema))
      throw new Error(`${name} is asked and answered in two shapes, or two contracts export it: give one another name`)
    components.set(name, schema)
  }

  return {
    of(schema, io) {
      const {
        $schema: _,
        $defs = {},
        ...rest
      } = z.toJSONSchema(schema, {
        io,
        metadata: names,
        unrepresentable: 'any',
        override: ({ zodSchema, jsonSchema }) => tidy(zodSchema, jsonSchema as SchemaJson, io),
      }) as SchemaJson
      for (const [name, { id: _id, ...named }] of Object.entries($defs as Record<string, SchemaJson>))
        add(name, pointing(named))
      const { id: _id, ...own } = rest
      return pointing(own)
    },
    name(name, schema) {
      add(name, schema)
      return { $ref: `#/components/schemas/${name}` }
    },
    resolve: (schema) => components.get(String(schema['$ref']).replace('#/components/schemas/', '')) ?? schema,
    components: () => Object.fromEntries([...components].toSorted(([a], [b]) => a.localeCompare(b))),
  }
}

/** Rewrites the whole schema, from the inside out: references as OpenAPI has them, notes, and a shorter form for null. */
const pointing = (schema: SchemaJson): SchemaJson =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'), (key, value: unknown) => {
    if (key === 'properties') return annotated(value as Record<string, SchemaJson>)
    return typeof value === 'object' && value !== null && 'anyOf' in value ? nullable(value) : value
  }) as SchemaJson

const annotated = (fields: Record<string, SchemaJson>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [
      name,
      fieldNotes[name] && !schema['description'] ? { ...schema, description: fieldNotes[name] } : schema,
    ]),
  )

/** Describes the contract's marks, and leaves out what only validators would use. */
function tidy(schema: z.core.$ZodType, json: SchemaJson, io: Io) {
  const { ref, file } = z.globalRegistry.get(schema) ?? {}
  if (ref) {
    json['description'] = `The id of one of \`${String(ref)}\`, within reach.`
    json['x-refers-to'] = ref
  }
  if (file) {
    const { types, bytes_max } = file as { types: string[]; bytes_max: number }
    const description = `${types.join(', ')}, at most ${bytes_max.toLocaleString('en-GB')} bytes.`
    Object.assign(json, { type: 'string', format: 'binary', description })
  }
  if (json['maximum'] === 2_147_483_647) {
    delete json['maximum']
    json['format'] = 'int32'
  }
  const format = formatOf(schema)
  if (format) {
    json['format'] = format
    // Regular expressions that repeat the format, and help no reader.
    for (const key of ['pattern', 'allOf']) delete json[key]
  }
  // A later version may return more.
  if (io === 'output' && json['additionalProperties'] === false) delete json['additionalProperties']
}

function formatOf(schema: z.core.$ZodType): string | undefined {
  if (schema instanceof z.ZodISODateTime) return 'date-time'
  if (schema instanceof z.ZodISODate) return 'date'
  if (schema instanceof z.ZodEmail) return 'email'
  return schema instanceof z.ZodPipe ? (formatOf(schema.out) ?? formatOf(schema.in)) : undefined
}

/** `anyOf: [{type: 'string'}, {type: 'null'}]` means the same as `type: ['string', 'null']`. */
function nullable({ anyOf, ...json }: SchemaJson): SchemaJson {
  const [one, other, ...more] = anyOf as SchemaJson[]
  const isNullable = one && other?.['type'] === 'null' && more.length === 0
  if (!isNullable || typeof one['type'] !== 'string' || one['enum']) return { ...json, anyOf }
  return { ...json, ...one, type: [one['type'], 'null'] }
}
