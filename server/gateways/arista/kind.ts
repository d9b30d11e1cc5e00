// Arista: guests open the sign-in address of their access point, which is of ChilliSpot's family. How it wants the password is a setting,
// since no box was seen.
import { chapResponse } from '#server/gateways/chap-response.ts'
import {
  addressIn,
  arrivalBy,
  withoutPort,
  claimedPath,
  externalPortal,
  takesTime,
} from '#server/gateways/external-portal.ts'
import type { Registered } from '#server/gateways/kind.ts'
import { first } from '#server/gateways/read.ts'

const read = arrivalBy({
  marks: ['challenge', 'login_url', 'client_mac', 'ap_id'],
  gateway_mac: ['ap_id'],
  device: 'client_mac',
})
/** Of sign-in pages of the family. */
const ports = ['3990', '8080', '8443']
const isChallenge = (text: string) => /^([0-9a-f]{2}){1,64}$/i.test(text)

function passwordFor({ settings, secret }: Registered, challenge: string, password: string): string {
  const how = settings['password_as']
  if (how === 'plain' || !isChallenge(challenge)) return password
  return chapResponse(challenge, how === 'hash_with_secret' ? secret : '', password)
}

export const arista = externalPortal({
  id: 26,
  name: 'Arista',
  honours: takesTime,
  note:
    'Its host is the one that its redirects name as login_url. RADIUS sets the length of a session; speed and volume are ' +
    'limited in its own profile. If guests are refused with a wrong password, choose another password format under Details.',
  where:
    'In CloudVision, choose a splash page on a third-party server with RADIUS for the guest network, enter this page, and add the server ' +
    'for authentication and accounting.',
  parameters: [
    {
      key: 'password_as',
      label: 'Password format',
      kind: 'choice',
      choices: [
        { value: 'hash', label: 'Hashed with its challenge' },
        { value: 'hash_with_secret', label: 'Hashed with its challenge and the secret' },
        { value: 'plain', label: 'As it is' },
      ],
      required: false,
      once: false,
      help:
        'Hashed with its challenge, unless it has a shared secret for its splash page: then enter that as ' +
        'the secret here, and choose “Hashed with its challenge and the secret”.',
    },
  ],
  arrival(redirect) {
    const found = read(redirect)
    return found && { ...found, outcome: redirect.query['res'] === 'failed' ? 'refused' : null }
  },
  letIn({ query }, gateway, { username, password }) {
    const address = addressIn(first(query, 'login_url'))
    const { port, isSecure } = claimedPath(address, '', ports)
    const challenge = query['challenge'] ?? ''
    const own = Object.fromEntries(address?.searchParams ?? [])
    return {
      by: 'address',
      address: `${isSecure ? 'https' : 'http'}://${withoutPort(gateway.host)}${port}${address?.pathname ?? '/login'}`,
      fields: { ...own, username, password: passwordFor(gateway, challenge, password), challenge, res: 'success' },
    }
  },
})
