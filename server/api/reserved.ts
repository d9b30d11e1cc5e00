// Reserved: keeps the fields that a caller may not write out of what a handler is given.
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { reservedFrom } from '#contract/reserved.ts'
import type { Caller } from '#server/access/principal.ts'
import { invalid } from '#server/errors/refused.ts'

type Values = Record<string, unknown>

/** What the field of a new record holds when nobody says anything. */
const unsaid = (endpoint: Endpoint, name: string): unknown => {
  const field = endpoint.input instanceof z.ZodObject ? endpoint.input.shape[name] : undefined
  return field ? z.safeParse(field, undefined).data : undefined
}

/**
 * The input without the reserved fields, so that nothing of theirs is written, not even what a form echoes while somebody
 * else changes it. A value that would change something is refused on its field. `stored` gives the record of an update.
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
  const now = (name: string) => (record ? record[name] : unsaid(endpoint, name)) ?? null
  const changed = named.filter(([name]) => !isDeepStrictEqual(now(name), asked[name]))
  if (changed.length > 0) throw invalid(Object.fromEntries(changed.map(([name, sentence]) => [name, [sentence]])))
  return Object.fromEntries(Object.entries(asked).filter(([name]) => !reserved.has(name)))
}
