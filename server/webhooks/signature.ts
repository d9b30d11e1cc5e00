// Signature: signs what is posted by Standard Webhooks (https://www.standardwebhooks.com), and makes the secrets for it.
import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

/** Within the 24 to 64 bytes of the standard. */
const secret_bytes = 32
export const newSigningSecret = () => `whsec_${randomBytes(secret_bytes).toString('base64')}`

/** The headers of one try. `secrets`: the present one, and for a day after a change the former ones. */
export const signedHeaders = (
  secrets: readonly string[],
  id: string,
  at: Date,
  body: string,
): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
})
