// Stop links: an address that says by itself which mails its reader wants no more of, and that only we can have made.
import { timingSafeEqual } from 'node:crypto'
import type { Fingerprint } from '#server/secrets/seal.ts'

export interface Stopped {
  customer_id: number
  report_id: number
  email: string
}

const signatureOf = (fingerprint: Fingerprint, said: string) => fingerprint(`stop report ${said}`)

export function stopToken(fingerprint: Fingerprint, { customer_id, report_id, email }: Stopped): string {
  const said = Buffer.from(JSON.stringify([customer_id, report_id, email.toLowerCase()])).toString('base64url')
  return `${said}.${signatureOf(fingerprint, said).toString('base64url')}`
}

/** Null: it is none of ours. */
export function readStopToken(fingerprint: Fingerprint, token: string): Stopped | null {
  const [said = '', signature = ''] = token.split('.')
  const [given, own] = [Buffer.from(signature, 'base64url'), signatureOf(fingerprint, said)]
  if (given.length !== own.length || !timingSafeEqual(given, own)) return null
  const [customer_id, report_id, email] = JSON.parse(Buffer.from(said, 'base64url').toString()) as [
    number,
    number,
    string,
  ]
  return { customer_id, report_id, email }
}
