// Let in at a CoovaChilli: the guest's browser opens a URL of the gateway, with a CHAP response.
import { chapResponse } from '#server/gateways/chap-response.ts'
import type { LetIn, Pass, PortalSignIn, Redirect, Registered } from '#server/gateways/kind.ts'

const usual_port = '3990'

const isChallenge = (text: string | undefined): text is string => text !== undefined && /^[0-9a-f]{32}$/i.test(text)

function letIn({ query }: Redirect, { host, secret }: Registered, { username, password, back }: Pass): LetIn {
  const { challenge } = query
  if (!isChallenge(challenge)) throw new Error('the redirect of a CoovaChilli has a challenge')
  const port = /^\d{1,5}$/.test(query['uamport'] ?? '') ? query['uamport'] : usual_port
  const fields = { username, response: chapResponse(challenge, secret, password), userurl: back }
  return { by: 'address', address: `http://${host.replace(/:\d+$/, '')}:${port}/logon`, fields }
}

export const portal: PortalSignIn = {
  letIn,
  pagesOf(host) {
    const own = `http://${/:\d+$/.test(host) ? host : `${host}:${usual_port}`}`
    return { sign_in: `${own}/prelogin`, sign_out: `${own}/logoff` }
  },
}
