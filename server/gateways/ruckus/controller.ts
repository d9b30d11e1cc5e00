// Ruckus' northbound portal interface, of SmartZone and of Ruckus One: it is told who is to be signed in with which pass, and asks RADIUS
// about it. All answers come with 200 and a code.
import { isIP } from 'node:net'
import { jsonIn, originIn, Trouble, wrong, type CalledGuest, type OpenController } from '#server/gateways/controller.ts'

const code = {
  authorised: 101,
  logged_in: 201,
  pending: 202,
  not_found: 300,
  refused: 301,
  wrong_password: 306,
  wrong_user: 307,
}
/** Nobody's: it is asked about to see whether we may ask. */
const no_device = '00:00:00:00:00:00'

export const openRuckus: OpenController = ({ settings, username, password }, line) => {
  async function ask(type: 'Login' | 'Logout' | 'Status', of: Record<string, string>): Promise<number> {
    if (password === null)
      throw wrong('The password of the northbound portal interface is missing. Enter it under Details.')
    const answer = await line.call(`${originIn(settings)}/portalintf`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        Vendor: 'ruckus',
        ...(username !== null && { RequestUserName: username }),
        RequestPassword: password,
        APIVersion: '1.0',
        RequestCategory: 'UserOnlineControl',
        RequestType: type,
        ...of,
      }),
    })
    const said = jsonIn(answer)['ResponseCode']
    const number = typeof said === 'number' || typeof said === 'string' ? Number(said) : Number.NaN
    if (number === code.wrong_password || number === code.wrong_user)
      throw wrong('The controller refuses the name or the password of the northbound portal interface.')
    if (!Number.isInteger(number) || number >= 400)
      throw new Trouble(
        number >= 400
          ? `The controller answered ${number}: it could not ask RADIUS. Check the authentication service of its hotspot.`
          : 'The controller’s answer is not as Ruckus writes it.',
        { of: 'controller', is_sure: number >= 400 },
      )
    return number
  }
  const isIn = async ({ mac_address, sent }: Pick<CalledGuest, 'mac_address' | 'sent'>) =>
    (await ask('Status', deviceOf(mac_address, sent))) === code.authorised

  return {
    async letIn({ mac_address, sent, pass }) {
      const said = await ask('Login', {
        ...deviceOf(mac_address, sent),
        'UE-Proxy': sent['proxy'] === '1' ? '1' : '0',
        'UE-Username': pass.username,
        'UE-Password': pass.password,
      })
      if (said === code.logged_in || said === code.authorised) return
      if (said === code.pending) throw new Trouble('The controller has not heard from RADIUS yet.')
      throw new Trouble(
        said === code.refused
          ? 'RADIUS refused the guest. Check that the controller’s hotspot asks this server.'
          : `The controller answered ${said}.`,
        { is_sure: true, is_final: said === code.refused },
      )
    },
    isIn,
    end: async (mac_address) => void (await ask('Logout', deviceOf(mac_address, {}))),
    // What guests use comes by RADIUS.
    async counted() {
      await ask('Status', { 'UE-MAC': no_device })
      return []
    },
    accessPoints: () => Promise.resolve([]),
  }
}

/** As the redirect names it; the address only where it is one. */
function deviceOf(mac_address: string, { uip = '', client_mac = mac_address }: Readonly<Record<string, string>>) {
  const named = /^[\da-f:-]{12,17}$/i.test(client_mac) ? client_mac : mac_address
  return { ...(isIP(uip) !== 0 && { 'UE-IP': uip }), 'UE-MAC': named }
}
