// Omada's controller, for portals of the type External Portal Server: a hotspot operator of its own signs in, and tells it what its
// redirect has said, with the time in milliseconds. It lists who is let in, and not what they use.
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
  type ControllerLine,
  type OpenController,
  type ControllerSession,
} from '#server/gateways/controller.ts'
import { macIn } from '#server/gateways/read.ts'
import type { OutgoingAnswer } from '#server/outbound/safe-fetch.ts'

/** The most that it lists at once. */
const page_size = 1000
/** More than a large house has in years: a list without an end is none. */
const pages_max = 200
/** How far its clock may be from ours. */
const clock_off_max_ms = 12 * 3_600_000

interface Listed {
  mac_address: string
  id: string
  is_in: boolean
}

export const openOmada: OpenController = (access, line) => {
  const { settings, username, password } = access
  const login = loginOf(line, 'omada', username, password)
  const site = settingText(settings, 'site') ?? 'Default'
  let found: Promise<string> | null = null
  const unit = settings['time_unit'] === 'us' ? 1_000_000 : 1000

  /** A log-in that has ended is answered with an error or a page, as others are: it is renewed once. */
  async function answerTo(path: string, body?: object): Promise<OutgoingAnswer> {
    for (let is_again = false; ; is_again = true) {
      const session = await login.of(() => signIn(access, line))
      const answer = await line.call(`${session.base}${path}`, {
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        headers: { 'content-type': 'application/json', ...session.headers },
      })
      if (is_again || jsonOrNothing(answer)?.['errorCode'] === 0) return answer
      await login.forget(session)
    }
  }
  async function ask(path: string, body?: object): Promise<unknown> {
    const answer = await answerTo(path, body)
    // The site may have been looked for while something else answered.
    if (jsonOrNothing(answer)?.['errorCode'] !== 0) found = null
    const said = jsonIn(answer)
    if (said['errorCode'] === 0) return said['result']
    throw new Trouble(`The controller answered error ${String(said['errorCode']).slice(0, 20)}.`, { is_sure: true })
  }

  const pathOfSite = () =>
    (found ??= findSite().catch((error: unknown) => {
      found = null
      throw error
    }))
  /** People and redirects call a site by its name, paths by an id. Where the operator may list no sites, what is registered is taken. */
  async function findSite(): Promise<string> {
    const said = jsonOrNothing(await answerTo(`/user/sites?currentPage=1&currentPageSize=${page_size}`))
    const data = partOf(said?.['result'], 'data')
    const sites: unknown[] = said?.['errorCode'] === 0 && Array.isArray(data) ? data : []
    const its = sites.find((one) => [fieldText(one, 'id'), fieldText(one, 'name')].includes(site))
    if (!its && sites.length > 0)
      throw wrong(`The controller has no site “${site}”. Enter its name or its id there under Details.`)
    return `/hotspot/sites/${encodeURIComponent(fieldText(its, 'id') ?? site)}`
  }

  /** All that were ever let in: a device has a row for each time. */
  async function listed(): Promise<Listed[]> {
    const path = `${await pathOfSite()}/clients?sorts.end=desc&currentPageSize=${page_size}`
    const rows: unknown[] = []
    for (let page = 1; page <= pages_max; page++) {
      const result = await ask(`${path}&currentPage=${page}`)
      const [data, total] = [partOf(result, 'data'), partOf(result, 'totalRows')]
      if (!Array.isArray(data)) break
      rows.push(...(data as unknown[]))
      if (data.length === 0 || typeof total !== 'number' || rows.length >= total || isPast(data))
        return rows.flatMap(rowIn)
    }
    throw new Trouble('The controller’s answer is not as Omada writes it.', { of: 'controller' })
  }
  const isInNow = async (mac_address: string) =>
    (await listed()).filter((one) => one.mac_address === mac_address && one.is_in)

  return {
    async letIn({ sent }, { seconds, bytes, speed_mbps }) {
      await ask('/hotspot/extPortal/auth', {
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
    isIn: async ({ mac_address }) => (await isInNow(mac_address)).length > 0,
    async end(mac_address) {
      const its = await isInNow(mac_address)
      // Else they would be taken for ended, and let stay.
      if (its.length === 0) throw new Trouble('The controller does not list the guest as let in.', { is_sure: true })
      for (const { id } of its) await ask(`${await pathOfSite()}/cmd/clients/${encodeURIComponent(id)}/disconnect`, {})
    },
    /** Who was in before may be listed before who is in now, so only those count. */
    async counted() {
      const is_in = (await listed()).filter((one) => one.is_in)
      return [...new Set(is_in.map(({ mac_address }) => mac_address))].map((mac_address) => ({
        mac_address,
        is_in: true,
        bytes_up: null,
        bytes_down: null,
      }))
    },
    accessPoints: () => Promise.resolve([]),
  }
}

function rowIn(one: unknown): Listed[] {
  const [mac_address, id] = [macIn(fieldText(one, 'mac')), fieldText(one, 'id')]
  return mac_address === null || id === null ? [] : [{ mac_address, id, is_in: partOf(one, 'valid') === true }]
}

/** Where a page is in the order that was asked for, nobody is in who comes after one that ended long ago. */
function isPast(page: readonly unknown[]): boolean {
  const ends = page.map((one) => Number(partOf(one, 'end')))
  const isSorted = ends.every((end, n) => end <= (ends[n - 1] ?? Infinity))
  return isSorted && (ends.at(-1) ?? Infinity) < Date.now() - clock_off_max_ms
}

const kbits = (speed_mbps: number) => Math.max(1, Math.round(speed_mbps * 1000))

async function signIn(
  { settings, username, password }: RegisteredController,
  line: ControllerLine,
): Promise<ControllerSession> {
  if (username === null || password === null)
    throw wrong(
      'The name and the password of a hotspot operator of the controller are missing. Enter them under Details.',
    )
  const origin = originIn(settings)
  const info = await surely(async () => jsonIn(await line.call(`${origin}/api/info`)))
  const id = fieldText(info['result'], 'omadacId')
  if (id === null || !/^\w{1,64}$/.test(id))
    throw new Trouble('The controller did not send its id. Check its address and port.', {
      of: 'controller',
      is_sure: true,
    })
  const base = `${origin}/${id}/api/v2`
  const answer = await surely(() =>
    line.call(`${base}/hotspot/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: username, password }),
    }),
  )
  const said = jsonIn(answer)
  const token = fieldText(said['result'], 'token')
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
