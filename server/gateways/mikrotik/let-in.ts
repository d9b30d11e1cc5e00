// Let in at a MikroTik: a form that is sent to the router, with the password hashed if it gave a challenge.
import type { LetIn, Pass, PortalSignIn, Redirect, Registered } from '#server/gateways/kind.ts'
import { md5Hash } from '#server/gateways/read.ts'

/** RouterOS escapes some bytes as `\371`, and writes others unchanged. */
export const bytesOf = (escaped: string): Buffer =>
  Buffer.from(
    escaped.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8) & 0xff)),
    'latin1',
  )

function letIn({ query }: Redirect, { host, portal_is_https }: Registered, { username, password, back }: Pass): LetIn {
  const [id, challenge] = [bytesOf(query['chap-id'] ?? ''), bytesOf(query['chap-challenge'] ?? '')]
  const shown = id.length > 0 ? md5Hash(id, password, challenge).toString('hex') : password
  const secure = /^https:/i.test(query['link-login-only'] ?? '')
  return {
    by: portal_is_https && !secure ? 'address' : 'form',
    address: `${secure ? 'https' : 'http'}://${host}/login`,
    fields: { username, password: shown, dst: back, popup: 'false' },
  }
}

export const portal: PortalSignIn = {
  letIn,
  pagesOf: (host) => ({ sign_in: `http://${host}/login`, sign_out: `http://${host}/logout?erase-cookie=true` }),
}
