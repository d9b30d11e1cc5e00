// Idempotency: a key that makes repeating a create harmless, and when to change it.
import { Refused } from './call.ts'

/** 128 random bits. (`randomUUID` exists on secure origins only.) */
export const freshKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** True if it is unknown whether the server did it: after no response, or a server error. */
export const keepsKey = (error: unknown): boolean =>
  !(error instanceof Refused) || error.status === 0 || error.status >= 500
