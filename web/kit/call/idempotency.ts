// Idempotency: a key that makes repeating a create harmless, and when to change it.
import { Refused } from './call.ts'

/** 128 random bits. (`randomUUID` exists on secure origins only.) */
export const freshKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** True if it is unknown whether the server did it: after no response, or a server error. */
export const keepsKey = (error: unknown): boolean =>
  !(error instanceof Refused) || error.status === 0 || error.status >= 500

/** After that, what is asked for again is another one. */
const remembered_ms = 5 * 60_000
const unanswered = new Map<string, { key: string; tried_at: number }>()

/**
 * Makes something with the key of a try shortly before of which no answer came, so that trying again makes nothing twice.
 * `record` says what is made, of what and for whom.
 */
export async function madeOnce<A>(record: string, make: (idempotencyKey: string) => Promise<A>): Promise<A> {
  const last = unanswered.get(record)
  const tried_at = Date.now()
  const key = last && tried_at - last.tried_at < remembered_ms ? last.key : freshKey()
  unanswered.set(record, { key, tried_at })
  try {
    const made = await make(key)
    unanswered.delete(record)
    return made
  } catch (error) {
    if (!keepsKey(error)) unanswered.delete(record)
    throw error
  }
}
