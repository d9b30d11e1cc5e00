// OPNsense's API: a key lets in the device that has an address, and ends its session. It takes no limits, so that the session is ended by
// us, and answers for a zone that it does not have as if all were well.
import { isIP } from 'node:net'
import { partOf } from '#contract/keys.ts'
import {
  originIn,
  saidIn,
  surely,
  settingText,
  fieldText,
  Trouble,
  wrong,
  type CalledGuest,
  type ControllerLine,
  type OpenController,
} from '#server/gateways/controller.ts'
import { macIn } from '#server/gateways/read.ts'

/** Clocks of boxes are not ours. */
const clock_slack_s = 600

export const openOpnSense: OpenController = ({ settings, username, password }, line) => {
  const zone = settingText(settings, 'zone') ?? '0'
  const ask = (path: string, form?: Record<string, string>) => {
    if (!/^\d{1,9}$/.test(zone)) throw wrong('The zone is not a number. Correct it under Details.')
    if (username === null || password === null)
      throw wrong('The API key and its secret are missing. Enter them under Details, as username and password.')
    const key = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    return send(line, `${originIn(settings)}/api/captiveportal/session/${path}`, key, form)
  }

  let is_zone_known = false
  async function checkZone() {
    if (is_zone_known) return
    const zones = await surely(() => ask('zones'))
    if (partOf(zones, zone) === undefined)
      throw new Trouble(
        `The firewall has no zone ${zone}. Its zones are: ${Object.keys(zones).slice(0, 20).join(', ') || 'none'}.`,
        { of: 'controller', is_sure: true },
      )
    is_zone_known = true
  }

  async function listed(): Promise<Listed[]> {
    const list = await ask(`list/${zone}`)
    if (!Array.isArray(list))
      throw new Trouble('The firewall’s answer is not as OPNsense writes it.', { of: 'controller' })
    return list.flatMap((one) => listedIn(one) ?? [])
  }
  const connect = async (user: string, ip: string) => {
    const answer = await ask(`connect/${zone}`, { user, ip })
    // It answers with the session that the address has already, if there is one.
    return { session: listedIn(answer), is_new: fieldText(answer, 'clientState') === 'AUTHORIZED' }
  }
  const disconnect = (id: string) => ask('disconnect', { sessionId: id })

  return {
    async letIn({ mac_address, sent: { ip = '' } }) {
      if (isIP(ip) === 0) throw foreign('The guest’s device did not send its address.')
      await checkZone()
      let { session, is_new } = await connect(mac_address, ip)
      // What the same device has begun earlier is not what is granted now.
      if (session?.mac_address === mac_address && !is_new) {
        await disconnect(session.id)
        ;({ session, is_new } = await connect(mac_address, ip))
      }
      if (!session) throw new Trouble('The firewall did not confirm that it let the guest in.')
      if (session.mac_address === mac_address && is_new) return
      // Somebody else's is theirs, whatever this guest claims.
      if (is_new) await disconnect(session.id)
      throw foreign('Another device has the address that the guest came from, so it was not let in.')
    },
    // It keeps no limits, so it has none to change.
    change: () => Promise.resolve(),
    async isIn({ mac_address, since }: CalledGuest) {
      const earliest = since.getTime() / 1000 - clock_slack_s
      return (await listed()).some((one) => one.mac_address === mac_address && one.start >= earliest)
    },
    async end(mac_address) {
      for (const { id } of (await listed()).filter((one) => one.mac_address === mac_address)) await disconnect(id)
    },
    async counted() {
      await checkZone()
      return (await listed()).flatMap(({ mac_address, bytes_up, bytes_down }) =>
        mac_address === null ? [] : [{ mac_address, bytes_up, bytes_down, is_in: true }],
      )
    },
    accessPoints: () => Promise.resolve([]),
  }
}

const foreign = (message: string) => new Trouble(message, { is_sure: true, is_final: true })

interface Listed {
  id: string
  mac_address: string | null
  start: number
  bytes_up: number
  bytes_down: number
}

function listedIn(of: unknown): Listed | null {
  const id = fieldText(of, 'sessionId')
  if (id === null) return null
  return {
    id,
    mac_address: macIn(fieldText(of, 'macAddress')),
    start: numberOf(of, 'startTime'),
    // What comes in is the guest's upload.
    bytes_up: Math.floor(numberOf(of, 'bytes_in')),
    bytes_down: Math.floor(numberOf(of, 'bytes_out')),
  }
}

function numberOf(of: unknown, name: string): number {
  const value = Number(partOf(of, name))
  return Number.isFinite(value) && value > 0 ? value : 0
}

async function send(
  line: ControllerLine,
  url: string,
  authorization: string,
  form?: Record<string, string>,
): Promise<object> {
  const answer = await line.call(url, {
    ...(form && { method: 'POST', body: new URLSearchParams(form).toString() }),
    headers: { authorization, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) },
  })
  if (answer.status === 401) throw wrong('The firewall refuses the API key or its secret.')
  if (answer.status === 403)
    throw wrong('The API key’s user has no right to the captive portal. Give it “Services: Captive Portal”.')
  const said = saidIn(answer)
  if (answer.status !== 200)
    throw new Trouble(`The firewall answered ${answer.status}.`, {
      of: answer.status >= 500 ? 'controller' : 'guest',
      is_sure: answer.status < 500,
    })
  return said
}
