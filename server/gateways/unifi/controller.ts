// UniFi's controller: by its classic calls, with a local account on the console or the software, or with an API key, also through the
// maker's cloud. It answers errors with 200; up and down are in kbit/s, the volume in MB, the time in minutes.
import { partOf } from '#contract/keys.ts'
import {
  cookiesIn,
  jsonIn,
  loginOf,
  originIn,
  surely,
  settingText,
  fieldText,
  Trouble,
  wrong,
  type RegisteredController,
  type CalledGuest,
  type Controller,
  type ControllerLine,
  type OpenController,
  type ControllerSession,
} from '#server/gateways/controller.ts'
import { macIn } from '#server/gateways/read.ts'
import type { OutgoingAnswer } from '#server/outbound/safe-fetch.ts'

const cloud = 'https://api.ui.com'
/** As the cloud names consoles. */
const console_id = /^[0-9A-Fa-f]+:\d+$/
/** On a UniFi console, what belongs to its network application. */
const of_console = '/proxy/network'
/** Sessions last no longer. */
const listed_hours = 25
/** A log-in that has ended is told so. */
const is_over = /LoginRequired|Unauthorized/
/** Clocks of controllers are not ours. */
const clock_slack_s = 600

export const siteIn = ({ settings }: Pick<RegisteredController, 'settings'>) =>
  settingText(settings, 'site') ?? 'default'

export const openUnifi: OpenController = (access, line) => {
  const login = loginOf(
    line,
    access.username,
    access.password,
    access.settings['api_key'],
    access.settings['console_id'],
  )
  const site = siteIn(access)

  /** Signs in anew, once, where the controller no longer knows us. */
  async function ask(path: string, body?: object): Promise<unknown[]> {
    for (let is_again = false; ; is_again = true) {
      const session = await login.of(() => signIn(access, line))
      const answer = await send(line, session, path, body)
      if (answer.status !== 401 && !is_over.test(codeIn(answer))) return dataIn(answer)
      await login.forget(session)
      if (is_again)
        throw new Trouble('The controller has ended Foyer’s sign-in twice.', { of: 'controller', is_sure: true })
    }
  }
  const ofSite = (path: string, body?: object) => ask(`/api/s/${encodeURIComponent(site)}/${path}`, body)

  /** A site that it does not know it answers as if all were well. */
  let is_site_known = false
  async function checkSite() {
    if (is_site_known) return
    const names = (await ask('/api/self/sites')).flatMap((one) => fieldText(one, 'name') ?? [])
    if (!names.includes(site))
      throw new Trouble(
        `The controller has no site “${site}”. Its sites are, by their short names: ${names.slice(0, 20).join(', ') || 'none'}.`,
        { of: 'controller', is_sure: true },
      )
    is_site_known = true
  }

  const listed = async () => newestOf(await ofSite('stat/guest', { within: listed_hours }))

  const letIn: NonNullable<Controller['change']> = async ({ mac_address, sent }, { seconds, bytes, speed_mbps }) => {
    await checkSite()
    const data = await ofSite('cmd/stamgr', {
      cmd: 'authorize-guest',
      mac: mac_address,
      minutes: Math.max(1, Math.ceil(seconds / 60)),
      ...(speed_mbps !== null && { up: kbits(speed_mbps), down: kbits(speed_mbps) }),
      ...(bytes !== null && { bytes: Math.max(1, Math.floor(bytes / 1_000_000)) }),
      ...(sent['ap'] !== undefined && { ap_mac: sent['ap'] }),
    })
    if (!data.some((one) => macIn(fieldText(one, 'mac')) === mac_address))
      throw new Trouble('The controller did not confirm that it let the guest in.', { is_sure: false })
  }

  return {
    letIn,
    // What is granted anew takes the place of what was.
    change: letIn,
    async isIn({ mac_address, since }: CalledGuest) {
      const guest = (await listed()).get(mac_address)
      return guest !== undefined && !guest.is_expired && guest.start >= since.getTime() / 1000 - clock_slack_s
    },
    async end(mac_address) {
      await ofSite('cmd/stamgr', { cmd: 'unauthorize-guest', mac: mac_address })
    },
    async counted() {
      await checkSite()
      return [...(await listed())].map(([mac_address, guest]) => ({
        mac_address,
        // Received by the access point is sent by the guest.
        bytes_up: guest.rx_bytes,
        bytes_down: guest.tx_bytes,
        is_in: !guest.is_expired,
        began: guest.start,
      }))
    },
    async accessPoints() {
      return (await ofSite('stat/device')).flatMap((one) => {
        const mac_address = macIn(fieldText(one, 'mac'))
        return mac_address !== null && fieldText(one, 'type') === 'uap'
          ? [{ mac_address, name: fieldText(one, 'name') }]
          : []
      })
    },
  }
}

const kbits = (speed_mbps: number) => Math.max(1, Math.round(speed_mbps * 1000))

interface Listed {
  start: number
  /** By the controller's clock, which may be behind ours by more than the guest may stay. */
  is_expired: boolean
  rx_bytes: number
  tx_bytes: number
}

/** A device is listed once for each time that it was let in. */
function newestOf(data: unknown[]): Map<string, Listed> {
  const newest = new Map<string, Listed>()
  for (const one of data) {
    const mac_address = macIn(fieldText(one, 'mac'))
    const start = numberOf(one, 'start')
    if (mac_address === null || (newest.get(mac_address)?.start ?? -1) >= start) continue
    const is_expired = partOf(one, 'expired') === true
    newest.set(mac_address, {
      start,
      is_expired,
      rx_bytes: numberOf(one, 'rx_bytes'),
      tx_bytes: numberOf(one, 'tx_bytes'),
    })
  }
  return newest
}

async function signIn(
  { settings, username, password }: RegisteredController,
  line: ControllerLine,
): Promise<ControllerSession> {
  const key = settingText(settings, 'api_key')
  const consoleId = settingText(settings, 'console_id')
  if (key !== null) {
    const headers = { 'x-api-key': key }
    if (consoleId === null) return { base: `${originIn(settings)}${of_console}`, headers }
    if (!console_id.test(consoleId))
      throw wrong('The console’s id is not as the maker’s cloud writes it, such as 70A741…:1234567.')
    const origin = settingText(settings, 'controller_url') === null ? cloud : originIn(settings)
    return { base: `${origin}/v1/connector/consoles/${consoleId}${of_console}`, headers }
  }
  if (username === null || password === null)
    throw wrong('The controller’s username and password, or an API key, are missing.')
  const origin = originIn(settings)
  const probe = await surely(() => line.call(`${origin}${of_console}/status`))
  const isConsole = probe.status === 401 || probe.status === 200
  const answer = await surely(() =>
    line.call(`${origin}${isConsole ? '/api/auth/login' : '/api/login'}`, posted({ username, password })),
  )
  if ([400, 401, 403].includes(answer.status) || /api\.err\.Invalid|2fa/i.test(codeIn(answer)))
    throw wrong(
      'The controller refuses the username or the password. Use a local account of it, without a second factor.',
    )
  if (answer.status === 429)
    throw new Trouble('The controller accepts no more sign-ins for a while.', {
      of: 'controller',
      is_sure: true,
      wait_s: 60,
    })
  jsonIn(answer)
  const cookie = cookiesIn(answer)
  const csrf = answer.headers['x-csrf-token'] ?? csrfIn(cookie)
  return {
    base: isConsole ? `${origin}${of_console}` : origin,
    headers: { cookie, ...(typeof csrf === 'string' && { 'x-csrf-token': csrf }) },
  }
}

/** A console's cookie is a token that says what else to send. */
function csrfIn(cookie: string): string | undefined {
  const [, claims] = /(?:^|; )TOKEN=[^.;]*\.([^.;]*)\./.exec(cookie) ?? []
  if (claims === undefined) return undefined
  try {
    return fieldText(JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')), 'csrfToken') ?? undefined
  } catch {
    return undefined
  }
}

const posted = (body: object) =>
  ({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }) as const

const send = (line: ControllerLine, { base, headers }: ControllerSession, path: string, body?: object) => {
  const call = body === undefined ? { headers: {} } : posted(body)
  return line.call(`${base}${path}`, { ...call, headers: { ...call.headers, ...headers } })
}

/** The code of an error. */
function codeIn({ body }: OutgoingAnswer): string {
  const [, code = ''] = /"(?:msg|code)"\s*:\s*"([\w.-]{1,60})"/.exec(body.subarray(0, 2000).toString('latin1')) ?? []
  return code
}

function dataIn(answer: OutgoingAnswer): unknown[] {
  const { status } = answer
  if (status === 429)
    throw new Trouble('The controller accepts no more calls for a while.', {
      of: 'controller',
      is_sure: true,
      wait_s: 30,
    })
  if (status === 403)
    throw new Trouble('The controller refuses the call: the account or the key has no right to let guests in.', {
      of: 'controller',
      is_sure: true,
    })
  const said = jsonIn(answer)
  const rc = fieldText(said['meta'], 'rc')
  if (rc === 'error' || status >= 400)
    throw new Trouble(`The controller answered ${codeIn(answer) || status}.`, {
      of: status >= 500 ? 'controller' : 'guest',
      is_sure: rc === 'error',
    })
  const { data } = said
  if (rc !== 'ok' || !Array.isArray(data))
    throw new Trouble('The controller’s answer is not as UniFi Network writes it.', { of: 'controller' })
  return data
}

function numberOf(of: unknown, name: string): number {
  const value = partOf(of, name)
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0
}
