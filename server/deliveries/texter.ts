// Texter: delivers text messages: to a URL that takes them as JSON, else as files in the outbox folder.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { RetryAfter, Rejected, TemporarilyRejected } from '#server/deliveries/deliveries.ts'
import type { Sort } from '#server/deliveries/undelivered.ts'
import { retryAfter } from '#server/outbound/retry-after.ts'
import type { SafeFetch } from '#server/outbound/safe-fetch.ts'

export interface TextMessage extends Sort {
  /** In E.164. */
  mobile_number: string
  text: string
}

export interface Texter {
  /** Delivers one message; the id is the same at every try, so that a provider can drop a second one. */
  deliver(message: TextMessage & { id: number }): Promise<void>
}

interface TexterOptions {
  sms_url: string | null
  sms_token: string | null
  outbox_dir: string
}

/** By `POST` of `{to, text}` where `sms_url` is set up; else as files in `outbox_dir`, named on the console. */
export function openTexter({ sms_url, sms_token, outbox_dir }: TexterOptions, safeFetch: SafeFetch): Texter {
  if (sms_url === null)
    return {
      async deliver({ id, mobile_number, text }) {
        await mkdir(outbox_dir, { recursive: true, mode: 0o700 })
        const file = path.join(outbox_dir, `sms-${String(id).padStart(6, '0')}.txt`)
        await writeFile(file, `To: ${mobile_number}\n\n${text}\n`, { mode: 0o600 })
        console.log(`A text message: ${file}`)
      },
    }
  return {
    async deliver({ id, mobile_number, text }) {
      const { status, headers } = await safeFetch(sms_url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'idempotency-key': `foyer-text-${id}`,
          ...(sms_token === null ? {} : { authorization: `Bearer ${sms_token}` }),
        },
        body: JSON.stringify({ to: mobile_number, text }),
      })
      if (status >= 200 && status < 300) return
      const answered = `SMS_URL answered ${status}`
      if (isFinal(status)) throw new Rejected(answered)
      const retry_after_s = retryAfter(headers)
      throw retry_after_s === undefined ? new TemporarilyRejected(answered) : new RetryAfter(answered, retry_after_s)
    },
  }
}

/** A wrong number stays wrong; a wrong token may be corrected meanwhile. */
const isFinal = (status: number) => status === 400 || status === 404 || status === 422
