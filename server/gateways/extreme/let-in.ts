// Let in at an ExtremeCloud IQ Controller: the guest's browser opens its approval, which is signed as its redirect was.
import { withoutPort } from '#server/gateways/external-portal.ts'
import type { LetIn, Query, Registered } from '#server/gateways/kind.ts'
import { credentialOf, signatureOf } from './arrival.ts'

const path = '/ext_approval.php'
/** How long it may be on its way. */
const expires_s = 60

/** As Amazon encodes, which leaves fewer signs alone. */
const encoded = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

const momentText = (now: Date) => now.toISOString().replaceAll(/[-:]|\.\d+/g, '')

type Gateway = Pick<Registered, 'host' | 'secret' | 'settings'>

/** To the registered host, whatever the redirect has said; only its port is used. */
export function approval(query: Query, gateway: Gateway, of: { username: string; back: string }): LetIn {
  const at = momentText(new Date())
  const isPlain = query['hwc_port'] === '80'
  const claimed = query['hwc_port'] ?? ''
  const port = /^\d{2,5}$/.test(claimed) && !['80', '443'].includes(claimed) ? `:${claimed}` : ''
  const host = `${withoutPort(gateway.host)}${port}`
  const fields = Object.entries({
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': credentialOf(String(gateway.settings['identity'] ?? ''), at),
    'X-Amz-Date': at,
    'X-Amz-Expires': String(expires_s),
    'X-Amz-SignedHeaders': 'host',
    dest: of.back,
    token: query['token'] ?? '',
    username: of.username,
    wlan: query['wlan'] ?? '',
  })
  const signed = fields.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&')
  const signature = signatureOf({ secret: gateway.secret, host, path, query: signed, at })
  return {
    by: 'address',
    address: `${isPlain ? 'http' : 'https'}://${host}${path}?${signed}&X-Amz-Signature=${signature}`,
    fields: {},
    asks_nobody: true,
  }
}
