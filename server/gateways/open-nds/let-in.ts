// Let in at an openNDS: guests come back with the hash of their number and the key that it shares with us; or, at its levels 3 and 4, the
// box fetches that hash itself.
import { createHash } from 'node:crypto'
import { isIPv4 } from 'node:net'
import type { LetIn, Pass, PortalSignIn, Redirect, Registered } from '#server/gateways/kind.ts'
import { fieldsOf, nameAsWritten } from './arrival.ts'
import { asksAs, authmon, isFetched } from './report.ts'

const usual_port = '2050'

/**
 * At the box's own host name, port 80 leads to it. At its IP address, port 80 works only for guests who are not online yet:
 * signing out needs its own port.
 */
const own = (host: string, port = usual_port) => `http://${isIPv4(host) ? `${host}:${port}` : host}`

export const tokenOf = (hid: string, key: string) => createHash('sha256').update(hid).update(key).digest('hex')

function letIn({ query }: Redirect, { host, secret, settings }: Registered, { back }: Pass): LetIn {
  const { hid, gatewayaddress = '' } = fieldsOf(query, secret) ?? {}
  if (!hid) throw new Error("an openNDS's redirect has the guest's number")
  const token = tokenOf(hid, secret)
  if (isFetched(settings)) {
    const lasts_max_s = authmon.lastsMax_s(settings)
    return {
      by: 'fetch',
      fields: {
        token,
        guest: hid,
        asks_as: asksAs(nameAsWritten(query, secret)),
        ...(lasts_max_s !== null && { lasts_max_s: String(lasts_max_s) }),
      },
    }
  }
  return {
    by: 'address',
    address: `${own(host, /:(\d{1,5})$/.exec(gatewayaddress)?.[1])}/opennds_auth/`,
    fields: { tok: token, redir: back },
  }
}

export const portal: PortalSignIn = {
  letIn,
  // Its first page is a status page of its own.
  pagesOf: (host) => ({ sign_in: `${own(host)}/login`, sign_out: `${own(host)}/opennds_deny/` }),
}
