// Reserved: removes the fields that a caller may not write from the input of a handler.
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { reservedFrom } from '#contract/reserved.ts'
import type { Caller } from '#server/access/principal.ts'
import { invalid } from '#server/errors/refused.ts'

type Values = Record<string, unknown>

/** The default of a field of a new record. */
const defaultOf = (endpoint: Endpoint, name: string): unknown => {
  const field = endpoint.input instanceof z.ZodObject ? endpoint.input.shape[name] : undefined
  return field ? z.safeParse(field, undefined).data : undefined
}

/** A stored value as the schema reads it when it is sent back: money, for example, as a text. */
const asRead = (endpoint: Endpoint, name: string, stored: unknown): unknown => {
  const field = endpoint.input instanceof z.ZodObject ? endpoint.input.shape[name] : undefined
  const read = field && z.safeParse(field, stored)
  return read?.success ? read.data : stored
}

/**
 * The input without the reserved fields, so that none of them is written, not even the old value that a form sends while
 * somebody else changes it. A changed value is refused on its field. `stored` reads the record of an update.
 */
export async function withoutReserved(
  { owner, can }: Caller,
  endpoint: Endpoint,
  input: unknown,
  stored: (id: number) => Promise<unknown>,
): Promise<unknown> {
  const asked = input as Values
  const reserved = reservedFrom({ owner_type: owner.owner_type, can }, endpoint.input)
  const named = [...reserved].filter(([name]) => asked[name] !== undefined)
  if (named.length === 0) return input
  const record = typeof asked['id'] === 'number' ? ((await stored(asked['id'])) as Values) : undefined
  const now = (name: string) => (record ? asRead(endpoint, name, record[name]) : defaultOf(endpoint, name)) ?? null
  const changed = named.filter(([name]) => !isDeepStrictEqual(now(name), asked[name]))
  if (changed.length > 0) throw invalid(Object.fromEntries(changed.map(([name, sentence]) => [name, [sentence]])))
  return Object.fromEntries(Object.entries(asked).filter(([name]) => !reserved.has(name)))
}
