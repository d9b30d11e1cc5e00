// Omada's controller, for portals of the type External Portal Server: a hotspot operator of its own signs in, and tells it what its
// redirect has said, with the time in milliseconds. It lists who is let in, and not what they use.
import {
  cookiesIn,
  jsonIn,
  loginOf,
  originIn,
  surely,
  textIn,
  textOf,
  Trouble,
  valueOf,
  wrong,
  type Access,
  type Line,
  type OpenController,
  type Session,
} from '#server/gateways/controller.ts'
import { macIn } from '#server/gateways/read.ts'
import type { OutgoingAnswer } from '#server/outbound/safe-fetch.ts'

/** The most that it lists at once. */
const listed_max = 1000

export const openOmada: OpenController = (access, line) => {
  const { settings, username, password } = access
  const login = loginOf(line, 'omada', username, password)
  const site = encodeURIComponent(textIn(settings, 'site') ?? 'Default')
  const unit = settings['time_unit'] === 'us' ? 1_000_000 : 1000

  /** A log-in that has ended is answered with an error or a page, as others are: it is renewed once. */
  async function ask(path: string, body?: object): Promise<unknown> {
    for (let is_again = false; ; is_again = true) {
      const session = await login.of(() => signIn(access, line))
      const answer = await line.call(`${session.base}${path}`, {
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        headers: { 'content-type': 'application/json', ...session.headers },
      })
      const said = is_again ? jsonIn(answer) : jsonOrNothing(answer)
      if (said?.['errorCode'] === 0) return said['result']
      await login.forget(session)
      if (said && is_again)
        throw new Trouble(`The controller answered error ${String(said['errorCode']).slice(0, 20)}.`, { is_sure: true })
    }
  }
  const listed = async () => {
    const result = await ask(`/sites/${site}/clients?currentPage=1&currentPageSize=${listed_max}`)
    const data = valueOf(result, 'data')
    if (!Array.isArray(data))
      throw new Trouble('The controller’s answer is not as Omada writes it.', { of: 'controller' })
    return data.flatMap((one: unknown) => {
      const [mac_address, id] = [macIn(textOf(one, 'mac')), textOf(one, 'id')]
      return mac_address === null || id === null ? [] : [{ mac_address, id, is_in: valueOf(one, 'valid') === true }]
    })
  }

  return {
    async letIn({ sent }, { seconds, bytes, speed_mbps }) {
      await ask('/extPortal/auth', {
        ...sent,
        time: String(Math.max(1, Math.floor(seconds)) * unit),
        authType: '4',
        ...(bytes !== null && { totalTrafficLimitBytes: Math.max(1, Math.floor(bytes)) }),
        ...(speed_mbps !== null && {
          downloadRateLimitKbps: kbits(speed_mbps),
          uploadRateLimitKbps: kbits(speed_mbps),
        }),
      })
    },
    isIn: async ({ mac_address }) => (await listed()).some((one) => one.mac_address === mac_address && one.is_in),
    async end(mac_address) {
      for (const { id } of (await listed()).filter((one) => one.mac_address === mac_address && one.is_in))
        await ask(`/sites/${site}/cmd/clients/${encodeURIComponent(id)}/disconnect`, {})
    },
    counted: async () =>
      (await listed()).map(({ mac_address, is_in }) => ({ mac_address, is_in, bytes_up: null, bytes_down: null })),
    accessPoints: () => Promise.resolve([]),
  }
}

const kbits = (speed_mbps: number) => Math.max(1, Math.round(speed_mbps * 1000))

async function signIn({ settings, username, password }: Access, line: Line): Promise<Session> {
  if (username === null || password === null)
    throw wrong(
      'The name and the password of a hotspot operator of the controller are missing. Enter them under Details.',
    )
  const origin = originIn(settings)
  const info = await surely(async () => jsonIn(await line.call(`${origin}/api/info`)))
  const id = textOf(info['result'], 'omadacId')
  if (id === null || !/^\w{1,64}$/.test(id))
    throw new Trouble('The controller does not say its id. Check its address and port.', {
      of: 'controller',
      is_sure: true,
    })
  const base = `${origin}/${id}/api/v2/hotspot`
  const answer = await surely(() =>
    line.call(`${base}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: username, password }),
    }),
  )
  const said = jsonIn(answer)
  const token = textOf(said['result'], 'token')
  if (said['errorCode'] !== 0 || token === null)
    throw wrong(
      'The controller refuses the name or the password. Use a hotspot operator of the site, not an administrator.',
    )
  return { base, headers: { cookie: cookiesIn(answer), 'csrf-token': token } }
}

function jsonOrNothing(answer: OutgoingAnswer) {
  try {
    return jsonIn(answer)
  } catch {
    return null
  }
}
