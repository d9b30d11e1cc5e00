// Erasure: guests use every way in, with names, addresses and devices that occur nowhere else. Once they are erased, none of these is
// left in any column of any table, in any file, or in the log.
import fs from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as guestHelp from '#contract/guest-help.ts'
import * as guests from '#contract/guests.ts'
import * as imports from '#contract/imports.ts'
import * as reportRuns from '#contract/report-runs.ts'
import * as reports from '#contract/reports.ts'
import * as batches from '#contract/voucher-batches.ts'
import { attribute, code, status_type } from '#server/radius-codec/dictionary.ts'
import { openLog } from '#server/watch/log.ts'
import { clash } from '#server/errors/refused.ts'
import { aMacAddress, inDays, openFoyer, type TestFoyer } from '#test/foyer.ts'
import { openMessages } from '#test/messages.ts'
import { openGateway, textIn, type RadiusRequest, type TestGateway } from '#test/radius-client.ts'
import { aFile } from '#test/uploads.ts'
import { expectRefused } from '#test/refused.ts'
import { full } from './proof.ts'

const portal_url = 'http://guests.foyer.test'
const patience = { timeout: 120_000 }
const method = { free: '1', account: '3', room: '4', email: '5', sms: '6' }

/** What a guest reveals. */
interface Planted {
  number: number
  way: 'email' | 'refused' | 'sms' | 'room' | 'free'
  word: string
  email: string
  /** As typed, and as stored. */
  typed_number: string
  mobile_number: string
  last_name: string
  mac_address: string
  ip: string
  user_agent: string
  username: string
}
const ways = ['email', 'sms', 'room', 'free', 'refused'] as const
const letters = (number: number) => String.fromCodePoint(97 + Math.floor(number / 26), 97 + (number % 26))
const planted = Array.from({ length: full ? 20 : ways.length }, (_, number): Planted => {
  const word = `quokka${letters(number)}`
  const last_digits = String(100 + number)
  return {
    number,
    way: ways[number % ways.length] ?? 'email',
    word,
    email: `${word}@planted.example`,
    typed_number: `07700 900 ${last_digits}`,
    mobile_number: `+447700900${last_digits}`,
    last_name: `Van${word}`,
    mac_address: `02:ca:fe:5e:77:${(number + 16).toString(16)}`,
    ip: `10.77.${number + 11}.203`,
    user_agent: `Telephone of ${word}`,
    username: `login-${word}`,
  }
})
/** In lower case; a MAC address also in other notations. */
const tracesOf = ({ word, mobile_number, mac_address, ip }: Planted) => [
  word,
  mobile_number.slice(1),
  mac_address,
  mac_address.replaceAll(':', '-'),
  mac_address.replaceAll(':', ''),
  ip,
]

const log: string[] = []
let messages: Awaited<ReturnType<typeof openMessages>>
let foyer: TestFoyer
let admin: Client
const opened: TestGateway[] = []
beforeAll(async () => {
  const refused = new Set(planted.filter(({ way }) => way === 'refused').map(({ email }) => email))
  messages = await openMessages((address) => refused.has(address))
  foyer = await openFoyer({
    env: {
      ROLES: 'all',
      PORTAL_URL: portal_url,
      TRUSTED_PROXIES: '127.0.0.1',
      REPORT_ROWS_AT_ONCE: '1',
      ...messages.env,
    },
    log: openLog({ format: 'json', level: 'debug' }, { write: (line: string) => void log.push(line) }),
  })
  admin = new Client({ connectionString: foyer.database.adminUrl })
  await admin.connect()
})
afterAll(async () => {
  await Promise.all(opened.map((gateway) => gateway.close()))
  await admin.end()
  await foyer.close()
  await messages.close()
})

const rowsOf = async <R extends object>(text: string, ...values: unknown[]) => (await admin.query<R>(text, values)).rows

type Place = Awaited<ReturnType<typeof openPlace>>
async function openPlace() {
  if (!foyer.radius) throw new Error('no role')
  const ports = await foyer.radius.listen('127.0.0.1', { access: 0, accounting: 0 })
  const editor = await foyer.customer()
  const { id: portal_id, url } = await foyer.portal(editor, {
    auth_method_ids: [1, 3, 4, 5, 6],
    terms: 'Be kind.',
    marketing_text: 'Tell me of offers',
  })
  const { id: package_id } = await foyer.package(editor, { session_time_hrs: 2 })
  const [country] = await rowsOf<{ id: number }>(`select id from countries where code = 'GB'`)
  const { id: property_id } = await foyer.property(editor, { portal_id, package_id, country_id: country?.id ?? 0 })
  const made = await foyer.gateway(editor, { property_id, gateway_type_id: 13, dns_name: 'hotspot.example' })
  const gateway = await openGateway(ports, made)
  opened.push(gateway)
  const address = `${url.replace(portal_url, '')}?nasid=${made.nas_identifier}`
  return {
    editor,
    property_id,
    package_id,
    gateway,
    /** The answer of the page, on the guest's device or on another one. */
    async post({ ip, user_agent, mac_address }: Planted, form: Record<string, string>, device = mac_address) {
      const answer = await foyer.guest?.inject({
        method: 'POST',
        url: form['at'] ?? `${address}&client_mac=${device}&clientip=${ip}`,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'user-agent': user_agent,
          'x-forwarded-for': ip,
        },
        payload: new URLSearchParams({ terms: '1', marketing: '1', ...form }).toString(),
      })
      expect(answer?.statusCode).toBeLessThan(500)
      return answer?.body ?? ''
    },
  }
}

const hidden = (body: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? ''

/** Goes online with the pass of a page, and reports a session that is over. */
async function online({ gateway }: Place, guest: Planted, page: string) {
  const { mac_address: calling_station_id, ip } = guest
  const user_name = hidden(page, 'username')
  expect(user_name, guest.way).toMatch(/^pass-/)
  const answer = await gateway.access({ user_name, password: hidden(page, 'password'), calling_station_id })
  expect(answer.code).toBe(code.access_accept)
  const known = { user_name, calling_station_id, class: textIn(answer, attribute.class) ?? '' }
  await report(gateway, guest, `session-${guest.word}`, {
    ...known,
    framed_ip_address: Buffer.from(ip.split('.').map(Number)),
  })
}

async function report(gateway: TestGateway, { mac_address }: Planted, acct_session_id: string, known: RadiusRequest) {
  for (const acct_status_type of [status_type.start, status_type.interim, status_type.stop])
    await gateway.report({
      calling_station_id: mac_address.toUpperCase().replaceAll(':', '-'),
      acct_session_id,
      acct_status_type,
      acct_session_time: 60,
      acct_output_octets: 5000,
      ...known,
    })
}

/** By mail: online at once, then a wrong code, another mail, and the link. The mails of `refused` guests cannot be delivered. */
async function byMail(at: Place, guest: Planted) {
  const form = { method: method.email, email: guest.email }
  await online(at, guest, await at.post(guest, form))
  await at.post(guest, { ...form, code: '000000' })
  await at.post(guest, { ...form, code: '', again: '1' })
  if (guest.way === 'refused') {
    const tried = `select from outbox_mails where recipient_email = $1 and last_error is not null`
    await expect.poll(() => rowsOf(tried, guest.email), patience).not.toEqual([])
    return
  }
  await expect.poll(() => messages.mailsTo(guest.email).length, patience).toBeGreaterThan(0)
  const link = /\/confirm\/[\w-]{43}/.exec(messages.mailsTo(guest.email)[0] ?? '')?.[0] ?? ''
  await at.post(guest, { at: link })
  // The address, now known, is also used on another device.
  await at.post(guest, form, aMacAddress())
}

async function byText(at: Place, guest: Planted) {
  await at.post(guest, { method: method.sms, mobile_number: guest.typed_number })
  await expect.poll(() => messages.textsTo(guest.mobile_number).length, patience).toBeGreaterThan(0)
  const digits = /\d{6}/.exec(messages.textsTo(guest.mobile_number)[0] ?? '')?.[0] ?? ''
  await at.post(guest, { method: method.sms, code: '000000' })
  await online(at, guest, await at.post(guest, { method: method.sms, code: digits }))
}

const numberOf = ({ number }: Planted) => `R-${number}`
const stayOf = (guest: Planted) => ({
  method: method.room,
  room_number: numberOf(guest),
  last_name: guest.last_name,
})
async function byRoom(at: Place, guest: Planted) {
  const form = stayOf(guest)
  await at.post(guest, { ...form, last_name: `not ${guest.last_name}` })
  await online(at, guest, await at.post(guest, form))
}

/** Other traces of a guest's device: refusals under every name, and sessions without a sign-in. */
async function otherTraces(at: Place, guest: Planted) {
  const { gateway } = at
  const { mac_address, username } = guest
  await at.post(guest, { method: method.account, username, password: 'wrong' })
  const asks = { calling_station_id: mac_address }
  await gateway.access({ ...asks, user_name: username, password: 'wrong' })
  await gateway.access({ ...asks, user_name: mac_address, password: mac_address })
  await report(gateway, guest, `before-${guest.word}`, { user_name: mac_address.replaceAll(':', '') })
}

/** What the desk does with guests before it erases them. */
async function atTheDesk({ editor, property_id, package_id }: Place) {
  const batch = await foyer.voucherBatch(editor, { property_id, package_id, quantity: 2 })
  for (const { way, email, mobile_number, mac_address } of planted) {
    for (const search of [email, mobile_number, mac_address]) await foyer.get(guestHelp.search, { search }, editor)
    await foyer.get(guests.list, { searchValue: email }, editor)
    await foyer.get(guestHelp.letTryAgain, { property_id, mac_address }, editor)
    // Theirs, by what they have revealed.
    if (way === 'email' || way === 'refused') await foyer.get(batches.sendCodes, { id: batch.id, email }, editor)
  }
  await foyer.file(guests.exportList, { format: 'csv' }, editor)
  const devices = await rowsOf<{ id: number; mac_address: string }>(
    'select guest_id::integer as id, mac_address::text from guest_devices where guest_id is not null',
  )
  for (const { id, mac_address } of devices) {
    await foyer.file(guests.data, { id }, editor)
    if (id % 2 === 0) await foyer.get(guestHelp.forgetDevice, { kind: 'guest', id, mac_address }, editor)
  }
}

/** A file that names them all, made in the background and kept. It lies sealed, so that nothing finds them there. */
async function keptReport({ editor }: Place): Promise<number> {
  const days = { date_range: 'custom', start_date: inDays(-2), end_date: inDays(1) } as const
  const { body } = await foyer.ask(reports.exportFile, { ...days, format: 'csv' }, editor)
  const { id } = (body as { data: { id: number } }).data
  const outcome = async () => (await foyer.get(reportRuns.getRun, { id }, editor)).data.outcome
  await expect.poll(outcome, patience).toBe('done')
  const named = (await foyer.file(reportRuns.downloadRun, { id }, editor)).text
  for (const guest of planted.filter(({ way }) => way === 'email')) expect(named).toContain(guest.email)
  return id
}

/** Every table of every schema with the text in some column, including binary ones. */
async function tablesWith(traces: string[]): Promise<string[]> {
  const tables = await rowsOf<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'`)
  const texts = traces.flatMap((trace) => [trace, Buffer.from(trace).toString('hex')])
  const found: string[] = []
  for (const { name } of tables) {
    const [row] = await rowsOf<{ there: string[] }>(
      `select array(select w from unnest($1::text[]) as w
         where exists (select from ${name} t where position(w in lower(t::text)) > 0)) as there`,
      texts,
    )
    found.push(...(row?.there ?? []).map((text) => `${name}: ${text}`))
  }
  return found
}

const filesWith = (folder: string, traces: string[]): string[] =>
  fs.readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((file) => {
    if (!file.isFile()) return []
    const name = path.join(file.parentPath, file.name)
    const text = `${name}\n${fs.readFileSync(name, 'latin1')}`.toLowerCase()
    return traces.filter((trace) => text.includes(trace)).map((trace) => `${name}: ${trace}`)
  })

test('nothing is left of erased guests, whichever way they signed in', { timeout: 1_800_000 }, async ({ task }) => {
  const at = await openPlace()
  const { editor, property_id } = at
  // Attempts before the room guests are recorded: they belong to nobody known.
  for (const guest of planted) if (guest.way === 'room') await at.post(guest, stayOf(guest), aMacAddress())
  await writeBooks(at)
  for (const guest of planted) {
    await otherTraces(at, guest)
    if (guest.way === 'email' || guest.way === 'refused') await byMail(at, guest)
    else if (guest.way === 'sms') await byText(at, guest)
    else if (guest.way === 'room') await byRoom(at, guest)
    else await online(at, guest, await at.post(guest, { method: method.free }))
  }
  await atTheDesk(at)
  const run_id = await keptReport(at)
  const traces = planted.flatMap(tracesOf)
  const tables_before = new Set((await tablesWith(traces)).map((place) => place.split(':')[0]))

  const { data } = await foyer.get(guests.list, { params: { property_id }, per_page: 200 }, editor)
  const ids = data.map(({ id }) => id)
  // Guests who also typed their address on another device wait there to confirm it.
  expect(ids.length).toBeGreaterThanOrEqual(planted.length)
  const erased = await foyer.ask(guests.erase, { ids }, editor, { 'idempotency-key': 'erase them' })
  expect(erased.status).toBe(200)

  expectRefused(
    await foyer.ask(reportRuns.downloadRun, { id: run_id }, editor),
    clash('Its file has been deleted. Run the report again.'),
  )
  const left = await tablesWith(traces)
  expect(left.filter((place) => !isBook(place))).toEqual([])
  expect(filesWith(path.dirname(foyer.storage), traces)).toEqual([])
  const text = log.join('\n').toLowerCase()
  expect(traces.filter((trace) => text.includes(trace))).toEqual([])
  const before = `${traces.length} traces of ${planted.length} guests were in ${tables_before.size} tables`
  const kept = `0 but in the operator's lists of rooms and accounts (${planted.filter(isInBooks).length} guests)`
  task.meta.figures = `${before}; after the erasure ${kept}, 0 in files, 0 in ${log.length} lines of the log`
})

/** The operator's own records: room guests and accounts, and the rows of their imports until these expire. */
const book = ['public.accounts', 'public.room_guests', 'public.import_rows']
const isInBooks = ({ way }: Planted) => way === 'room' || way === 'sms'
const isBook = (place: string) =>
  book.some((table) => place.startsWith(`${table}:`)) &&
  planted.some((guest) => isInBooks(guest) && tracesOf(guest).some((trace) => place.endsWith(trace)))

/** Guests who sign in by room are in the list of rooms; those who sign in by text message also have an account. */
async function writeBooks({ editor, property_id }: Place) {
  const rooms = planted.map((guest) => `${numberOf(guest)},${guest.way === 'room' ? `Ada ${guest.last_name}` : ''}`)
  const people = planted.flatMap(({ way, last_name, username, email, mobile_number }) =>
    way === 'sms' ? [`Ada ${last_name},${username},${email},${mobile_number}`] : [],
  )
  const listed = { RoomImport: aFile('rooms.csv', ['Room,Guest', ...rooms].join('\r\n')), property_id }
  const accounts = ['Name,Username,Email,Mobile number', ...people].join('\r\n')
  const kept = { AccountImport: aFile('guests.csv', accounts), property_id }
  const answers = [await foyer.ask(imports.rooms, listed, editor), await foyer.ask(imports.accounts, kept, editor)]
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
}
