// Guest data: everything that is known of one guest, as JSON for another program, or as a table for the guest to read.
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { dataFormats } from '#contract/guests.ts'
import { attemptReasons, type AttemptReason } from '#contract/sign-in-attempts.ts'
import { notFound } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { FileAnswer } from '#server/files/send.ts'
import { sessionsOfGuests } from '#server/history/read-sessions.ts'
import type { SessionColumn } from '#server/history/pack-columns.ts'
import type { Column } from '#server/tables/table.ts'
import { writeTable } from '#server/tables/write.ts'

/** As PostgreSQL writes them in JSON: moments in ISO 8601. */
interface GuestData {
  guest: {
    id: number
    name: string | null
    email: string | null
    mobile_number: string | null
    language: string | null
    visits: number
    confirmed_at: string | null
    first_seen_at: string
    last_seen_at: string
    property: string | null
  }
  devices: { mac_address: string; first_seen_at: string; last_seen_at: string }[]
  consents: {
    purpose: string
    wording: string
    terms_version: number | null
    language: string | null
    method: string
    granted_at: string
    confirmed_at: string | null
    withdrawn_at: string | null
    ip: string | null
    mac_address: string | null
    user_agent: string | null
  }[]
  sessions: {
    started_at: string
    stopped_at: string | null
    seconds: number
    bytes_up: number
    bytes_down: number
    mac_address: string | null
    ip: string | null
    signed_in_with: string | null
  }[]
  attempts: {
    at: string
    accepted: boolean
    reason: AttemptReason
    mac_address: string | null
    signed_in_with: string | null
  }[]
}

/** @throws a 404 where the guest is out of reach */
export async function guestDataFile(
  scope: Scope,
  id: number,
  format: (typeof dataFormats)[number],
): Promise<FileAnswer> {
  const { data, time_zone } = await dataOf(scope, id)
  const file_name = `guest-${id}`
  if (format === 'json')
    return {
      file_name: `${file_name}.json`,
      content_type: 'application/json; charset=utf-8',
      content: Readable.from([`${JSON.stringify(data, null, 2)}\n`]),
    }
  return writeTable(format, {
    title: `Guest ${id}`,
    file_name,
    asked: [],
    columns,
    pages: [rowsOf(data)],
    zone: time_zone,
  })
}

/** Of a session: whose it is, and what is told of it. */
const online: readonly SessionColumn[] = [
  ...(['customer_id', 'property_id', 'guest_id', 'identifier', 'mac_address', 'ip'] as const),
  ...(['started_at', 'stopped_at', 'seconds', 'bytes_up', 'bytes_down'] as const),
]

/** In the words of the tables. What is about others, or about the product, is left out. */
async function dataOf(scope: Scope, id: number): Promise<{ data: GuestData; time_zone: string }> {
  const [found] = await scope.run(sql<{ data: GuestData; time_zone: string }>`
    select json_build_object(
      'guest', json_build_object('id', t.id, 'name', t.name, 'email', t.email, 'mobile_number', t.mobile_number,
        'language', t.language, 'visits', t.visits, 'confirmed_at', t.confirmed_at, 'first_seen_at', t.first_seen_at,
        'last_seen_at', t.last_seen_at,
        'property', (select h.name from properties as h where h.customer_id = t.customer_id and h.id = t.property_id)),
      'devices', (select coalesce(json_agg(json_build_object('mac_address', d.mac_address, 'first_seen_at', d.created_at,
          'last_seen_at', d.last_seen_at) order by d.id), '[]')
        from guest_devices as d where d.guest_id = t.id and ${scope.inReach('guest_devices', 'd')}),
      'consents', (select coalesce(json_agg(json_build_object('purpose', r.purpose, 'wording', r.wording,
          'terms_version', r.terms_version, 'language', r.language, 'method', r.method, 'granted_at', r.granted_at,
          'confirmed_at', r.confirmed_at, 'withdrawn_at', r.withdrawn_at, 'ip', host(r.ip), 'mac_address', r.mac_address,
          'user_agent', r.user_agent) order by r.id), '[]')
        from consent_records as r where r.guest_id = t.id and ${scope.inReach('consent_records', 'r')}),
      'sessions', (select coalesce(json_agg(json_build_object('started_at', s.started_at, 'stopped_at', s.stopped_at,
          'seconds', s.seconds, 'bytes_up', s.bytes_up, 'bytes_down', s.bytes_down, 'mac_address', s.mac_address,
          'ip', host(s.ip), 'signed_in_with', s.identifier) order by s.started_at), '[]')
        from ${sessionsOfGuests(online, sql`array[${id}::bigint]`)} as s
        where s.guest_id = t.id and ${scope.inReach('radius_sessions', 's')}),
      'attempts', (select coalesce(json_agg(json_build_object('at', a.created_at, 'accepted', a.accepted, 'reason', a.reason,
          'mac_address', a.mac_address, 'signed_in_with', a.identifier) order by a.id), '[]')
        from radius_authorisations as a where a.guest_id = t.id and a.mac_address in (
            select d.mac_address from guest_devices as d where d.customer_id = t.customer_id and d.guest_id = t.id)
          and ${scope.inReach('radius_authorisations', 'a')})
    ) as data, coalesce((select h.time_zone from properties as h where h.customer_id = t.customer_id and h.id = t.property_id),
      c.time_zone) as time_zone
    from guests as t join customers as c on c.id = t.customer_id
    where t.id = ${id} and ${scope.inReach('guests', 't')}`)
  if (!found) throw notFound()
  return found
}

/** One fact: a line of the table. */
interface Row {
  what: string
  details?: string | null
  from?: string | null
  until?: string | null
  mac_address?: string | null
  ip?: string | null
  signed_in_with?: string | null
  bytes_up?: number
  bytes_down?: number
}

const columns: Column<Row>[] = [
  { key: 'what', title: 'What', kind: 'text', value: ({ what }) => what },
  { key: 'details', title: 'Details', kind: 'text', value: ({ details }) => details },
  { key: 'from', title: 'From', kind: 'moment', value: ({ from }) => from },
  { key: 'until', title: 'Until', kind: 'moment', value: ({ until }) => until },
  { key: 'mac_address', title: 'Device', kind: 'text', value: ({ mac_address }) => mac_address },
  { key: 'ip', title: 'IP address', kind: 'text', value: ({ ip }) => ip },
  { key: 'signed_in_with', title: 'Signed in with', kind: 'text', value: ({ signed_in_with }) => signed_in_with },
  { key: 'bytes_up', title: 'Sent (bytes)', kind: 'number', value: ({ bytes_up }) => bytes_up },
  { key: 'bytes_down', title: 'Received (bytes)', kind: 'number', value: ({ bytes_down }) => bytes_down },
]

const purposes: Readonly<Record<string, string>> = {
  terms: 'Terms of use',
  marketing_email: 'Marketing by e-mail',
  marketing_sms: 'Marketing by text message',
}
const methods: Readonly<Record<string, string>> = {
  checkbox: 'ticked on the Wi-Fi page',
  double_opt_in: 'ticked, then confirmed by a link',
  api: 'recorded by another program',
  import: 'imported',
}

function rowsOf({ guest, devices, consents, sessions, attempts }: GuestData): Row[] {
  const facts: [what: string, details: string | null][] = [
    ['Name', guest.name],
    ['E-mail', guest.email],
    ['Mobile number', guest.mobile_number],
    ['Language', guest.language && languageName(guest.language)],
    ['Property', guest.property],
    ['Visits', String(guest.visits)],
  ]
  return [
    ...facts.filter(([, details]) => details !== null).map(([what, details]) => ({ what, details })),
    { what: 'Seen', from: guest.first_seen_at, until: guest.last_seen_at },
    ...(guest.confirmed_at === null ? [] : [{ what: 'Address confirmed', from: guest.confirmed_at }]),
    ...devices.map(({ mac_address, first_seen_at, last_seen_at }) => ({
      what: 'Device',
      from: first_seen_at,
      until: last_seen_at,
      mac_address,
    })),
    ...consents.flatMap(rowsOfConsent),
    ...sessions.map(({ started_at, stopped_at, seconds: _, ...session }) => ({
      what: 'Session',
      details: stopped_at === null ? 'Still online' : null,
      from: started_at,
      until: stopped_at,
      ...session,
    })),
    ...attempts.map(({ at, accepted, reason, mac_address, signed_in_with }) => ({
      what: accepted ? 'Sign-in' : 'Refused sign-in',
      details: accepted ? null : attemptReasons[reason],
      from: at,
      mac_address,
      signed_in_with,
    })),
  ]
}

function rowsOfConsent(consent: GuestData['consents'][number]): Row[] {
  const { granted_at, confirmed_at, withdrawn_at, mac_address, ip } = consent
  const what = purposes[consent.purpose] ?? consent.purpose
  const agreed = { what, details: agreedTo(consent), from: granted_at, until: withdrawn_at, mac_address, ip }
  return confirmed_at === null ? [agreed] : [agreed, { what: `${what}: confirmed`, from: confirmed_at }]
}

function agreedTo({ wording, terms_version, language, method, user_agent }: GuestData['consents'][number]): string {
  const parts = [
    `“${wording}”`,
    terms_version !== null && `version ${terms_version}`,
    language && `shown in ${languageName(language)}`,
    methods[method] ?? method,
    user_agent,
  ]
  return parts.filter(Boolean).join(', ')
}

const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' })
const languageName = (code: string) => languages.of(code) ?? code
