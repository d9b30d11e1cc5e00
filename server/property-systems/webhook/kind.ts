// Generic webhook: stays are posted to us, signed by Standard Webhooks.
import { Webhook } from 'standardwebhooks'
import type { Hook, PropertySystem } from '#server/property-systems/kind.ts'
import { definition } from './definition.ts'
import { read } from './translation.ts'

const hook: Hook = {
  isGenuine(body, headers, settings) {
    const secret = settings['signing_secret']
    try {
      // Also checks that it was signed within five minutes.
      new Webhook(typeof secret === 'string' ? secret : '').verify(
        body,
        {
          'webhook-id': headers['webhook-id'] ?? '',
          'webhook-timestamp': headers['webhook-timestamp'] ?? '',
          'webhook-signature': headers['webhook-signature'] ?? '',
        },
        { jsonParse: false },
      )
      return true
    } catch {
      return false
    }
  },
  messageId: (headers) => headers['webhook-id'] ?? '',
  read,
}

/** Fewer bytes than the standard asks for could be guessed. */
const secret_bytes_min = 24

export const webhook: PropertySystem = {
  definition,
  hook,
  refuses: ({ signing_secret }) =>
    typeof signing_secret !== 'string' ||
    Buffer.from(signing_secret.replace(/^whsec_/, ''), 'base64').length >= secret_bytes_min
      ? null
      : { signing_secret: 'This is not a secret of Standard Webhooks: “whsec_” and 24 bytes or more in Base64' },
}
