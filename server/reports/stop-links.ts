// Stop links: signed addresses that say which mails their reader wants no more of.
import { timingSafeEqual } from 'node:crypto'
import type { Fingerprint } from '#server/secrets/seal.ts'

export interface Stopped {
  customer_id: number
  report_id: number
  email: string
}

const signatureOf = (fingerprint: Fingerprint, payload: string) => fingerprint(`stop report ${payload}`)

export function stopToken(fingerprint: Fingerprint, { customer_id, report_id, email }: Stopped): string {
  const payload = Buffer.from(JSON.stringify([customer_id, report_id, email.toLowerCase()])).toString('base64url')
  return `${payload}.${signatureOf(fingerprint, payload).toString('base64url')}`
}

/** Null: it was not signed here. */
export function readStopToken(fingerprint: Fingerprint, token: string): Stopped | null {
  const [payload = '', signature = ''] = token.split('.')
  const [given, own] = [Buffer.from(signature, 'base64url'), signatureOf(fingerprint, payload)]
  if (given.length !== own.length || !timingSafeEqual(given, own)) return null
  const [customer_id, report_id, email] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [
    number,
    number,
    string,
  ]
  return { customer_id, report_id, email }
}
