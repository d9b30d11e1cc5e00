// Stop links: signed addresses by which the receiver of reports stops them, or answers whether they want them.
import { timingSafeEqual } from 'node:crypto'
import type { Fingerprint } from '#server/secrets/seal.ts'

/** A receiver of a customer's reports. */
export interface Receiver {
  customer_id: number
  email: string
}

/** What a link is for: one of the other kind is not read. */
type Purpose = 'stop report' | 'receive reports'

function signed(fingerprint: Fingerprint, purpose: Purpose, values: readonly (string | number)[]): string {
  const payload = Buffer.from(JSON.stringify(values)).toString('base64url')
  return `${payload}.${fingerprint(`${purpose} ${payload}`).toString('base64url')}`
}

/** Null: it was not signed here. */
function read(fingerprint: Fingerprint, purpose: Purpose, token: string): (string | number)[] | null {
  const [payload = '', signature = ''] = token.split('.')
  const [given, own] = [Buffer.from(signature, 'base64url'), fingerprint(`${purpose} ${payload}`)]
  if (given.length !== own.length || !timingSafeEqual(given, own)) return null
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as (string | number)[]
}

/** The report is in it for the links of mails from before, which have the same form. */
export const stopToken = (fingerprint: Fingerprint, { customer_id, email }: Receiver, report_id: number): string =>
  signed(fingerprint, 'stop report', [customer_id, report_id, email.toLowerCase()])

export function readStopToken(fingerprint: Fingerprint, token: string): Receiver | null {
  const [customer_id, , email] = read(fingerprint, 'stop report', token) ?? []
  return customer_id === undefined ? null : { customer_id: Number(customer_id), email: String(email) }
}

export const receiverToken = (fingerprint: Fingerprint, { customer_id, email }: Receiver): string =>
  signed(fingerprint, 'receive reports', [customer_id, email.toLowerCase()])

export function readReceiverToken(fingerprint: Fingerprint, token: string): Receiver | null {
  const [customer_id, email] = read(fingerprint, 'receive reports', token) ?? []
  return customer_id === undefined ? null : { customer_id: Number(customer_id), email: String(email) }
}
