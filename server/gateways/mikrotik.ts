// MikroTik RouterOS: its own login page is replaced by one that redirects the guest to us, with the parameters used here; the
// sign-in is a form that is sent to the router, with the password hashed if it gave a challenge.
import type { GatewayKind } from './kind.ts'
import { first, macIn, md5, webAddressIn } from './read.ts'

/** RouterOS escapes some bytes as `\371`, and writes others unchanged. */
export const bytesOf = (escaped: string): Buffer =>
  Buffer.from(
    escaped.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8) & 0xff)),
    'latin1',
  )

export const mikroTik: GatewayKind = {
  gateway_type_id: 1,
  arrival: (query) =>
    query['link-login-only'] === undefined
      ? null
      : {
          nas_identifier: first(query, 'identity'),
          gateway_mac: macIn(first(query, 'gateway-mac')),
          mac_address: macIn(first(query, 'mac')),
          wanted: webAddressIn(first(query, 'link-orig')),
          outcome: first(query, 'error') === null ? null : 'refused',
          isGenuine: null,
        },
  handOver(query, { host, portal_is_https }, { username, password, back }) {
    const [id, challenge] = [bytesOf(query['chap-id'] ?? ''), bytesOf(query['chap-challenge'] ?? '')]
    const secret = id.length > 0 ? md5(id, password, challenge).toString('hex') : password
    const secure = /^https:/i.test(query['link-login-only'] ?? '')
    const fields = { username, password: secret, dst: back, popup: 'false' }
    return {
      method: portal_is_https && !secure ? 'get' : 'post',
      address: `${secure ? 'https' : 'http'}://${host}/login`,
      fields,
    }
  },
  has_radius: true,
  takes_changes: true,
  pagesOf: (host) => ({ sign_in: `http://${host}/login`, sign_out: `http://${host}/logout?erase-cookie=true` }),
}
