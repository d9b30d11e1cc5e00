// Cisco called: by RADIUS, to ask again about a device whose guest has signed in on the portal. It then asks, and reports, by RADIUS.
import { Trouble, type CalledGuest, type OpenController } from '#server/gateways/controller.ts'
import { askAgain } from './accept.ts'

/** Nobody's: it is asked about to hear whether we may ask. */
const nobody = { session: '000000000000000000000000', calling_station: '00-00-00-00-00-00' }

export const openCisco: OpenController = ({ customer_id, gateway_id }, line) => {
  async function tell(device: typeof nobody): Promise<'agreed' | 'gone' | 'refused'> {
    const said = await line.tell({ customer_id, gateway_id }, askAgain(device))
    if (said === 'unknown')
      throw new Trouble(
        'Foyer learns its address from its first RADIUS request. Join its guest network with a phone, and sign in.',
        {
          of: 'controller',
          is_sure: true,
        },
      )
    if (said === 'silent')
      throw new Trouble(
        'It does not answer a request to reauthenticate a guest (CoA, RFC 5176). Enter this server and the secret as a client ' +
          'of dynamic authorisation, with the port that is registered here, and let that UDP port through.',
        { of: 'controller' },
      )
    return said
  }
  const letIn = async ({ sent }: Pick<CalledGuest, 'sent'>) => {
    const { session = '', calling_station = '' } = sent
    const said = await tell({ session, calling_station })
    if (said === 'agreed') return
    throw new Trouble(
      said === 'gone'
        ? 'The guest’s device has left or rejoined since the guest opened the portal. It is let in when it joins again.'
        : 'It refuses to reauthenticate a guest. Allow CoA with reauthentication (“support for CoA” or RFC 3576) for this server.',
      { is_sure: true, is_final: true },
    )
  }
  return {
    letIn,
    // Asking twice does no more than asking once.
    isIn: () => Promise.resolve(false),
    // Sessions are those that it reports, and ended by RADIUS.
    end: () => Promise.reject(new Trouble('Its sessions are ended by RADIUS.', { is_sure: true, is_final: true })),
    async counted() {
      await tell(nobody)
      return []
    },
    accessPoints: () => Promise.resolve([]),
  }
}
