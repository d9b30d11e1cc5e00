// Accepted: every call succeeds with its valid example, for everybody who may make it. Without this, a sweep that expects refusals
// could pass because of another reason.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as accounting from '#contract/accounting-integrations.ts'
import * as apiKeys from '#contract/api-keys.ts'
import * as billing from '#contract/billing-runs.ts'
import * as connections from '#contract/connections.ts'
import * as imports from '#contract/imports.ts'
import * as marketing from '#contract/marketing-integrations.ts'
import * as interfaces from '#contract/property-interfaces.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as nights from '#contract/occupancy-nights.ts'
import * as reportRuns from '#contract/report-runs.ts'
import * as voucherBatches from '#contract/voucher-batches.ts'
import { isOpen, may } from '#server/access/policies.ts'
import { aDay, aMacAddress, type Person } from '#test/foyer.ts'
import { sample } from '#test/proofs/proof.ts'
import { aFile } from '#test/uploads.ts'
import { askFor, calls, idOf, type Call, type CallInput } from './calls.ts'
import { openWorld, type Insider, type Program, type World } from './world.ts'

const contextual = calls.filter(({ endpoint, area }) => !isOpen(endpoint) && area !== 'sessions')

/** What was done is taken back for a while only, so that call comes first, however slow the others are. */
const first = /^\/room-guests-undo$/
/** Calls that remove records come late, and those that remove others with them last. There is only one footer. */
const late = [/-remove$|-delete/, /^\/properties-delete/, /^\/portal-footers-create/]
const place = ({ endpoint }: Call) =>
  first.test(endpoint.path) ? -2 : late.findLastIndex((word) => word.test(endpoint.path))
const inOrder = contextual.toSorted((one, other) => place(one) - place(other))

/** One of each role and each level come first; `PROOFS=full` takes all. */
const callers: readonly (Insider | Program)[] = [
  'customer editor',
  'group viewer',
  'property front desk',
  "an editor's key",
  'property editor',
  'group editor',
  'customer viewer',
  'customer front desk',
  'group front desk',
  'property viewer',
  "an editor's key for one property",
  "a group's key",
  "a property's key",
]

/** Users of a single property cannot name a group. */
const outOfReach = (world: World, who: Person, { endpoint }: Call) =>
  (who.context === 'property' && endpoint.path === '/properties-group-list') ||
  (isProgram(world, who) && persons.has(endpoint.path))
/** Only a person can give consent. */
const persons = new Set(['/property-interfaces-authorize', '/property-interfaces-connect'])
const isProgram = ({ programs }: World, who: Person) => Object.values(programs).includes(who)

interface Consenting {
  consent(address: string): Promise<{ code: string; state: string }>
}

/** Inputs that the world lacks: records nothing depends on, earlier steps, and the caller's own things. */
async function suited(world: World, who: Person): Promise<Record<string, CallInput>> {
  const { foyer, admin, own, people, providers } = world
  const editor = people['customer editor']
  const property_id = idOf(own, 'properties')
  // A country with known holidays: the United Kingdom. A night cannot have more rooms let than units.
  await admin.query('update properties set portal_id = $2, country_id = 234, total_units = 1 where id = $1', [
    property_id,
    idOf(own, 'portals'),
  ])
  const batch = await foyer.voucherBatch(editor, { property_id, package_id: idOf(own, 'packages') })
  const { bytes } = await foyer.file(voucherBatches.exportCodes, { id: batch.id, format: 'csv' }, editor)
  const [code = ''] = /[A-Z2-9]{4}(-[A-Z2-9]{4}){2}/.exec(bytes.toString()) ?? []
  const DeviceImport = aFile('devices.csv', `name,mac_address\nTelevision,${aMacAddress()}\n`)
  const imported = await foyer.get(imports.devices, { DeviceImport, property_id }, editor)
  // A night in the ledger, and a scheduled report that has run.
  await admin.query(
    "update night_ledgers set begins_on = '2026-01-01', kept_from = '2026-01-01', kept_until = '2026-03-31' where property_id = $1",
    [property_id],
  )
  await admin.query(
    `update reports set frequency = 3, start_date = '2026-01-05', columns = '{usage_gb}', recipients = array[$2],
       user_id = $3, api_key_id = null where id = $1`,
    [idOf(own, 'reports'), editor.user.email, editor.user.id],
  )
  const sha256 = await foyer.services.storage.put(editor.user.customer.id, Buffer.from('usage_gb\n1.5\n'))
  await admin.query(
    `with file as (insert into files (customer_id, sha256, name, content_type, byte_size)
       select customer_id, decode($2, 'hex'), 'usage.csv', 'text/csv', 13 from report_runs where id = $1 returning id)
     update report_runs set outcome = 'done', report_id = $3, bytes = 13, kept_until = now() + interval '1 day',
       file_id = (select id from file) where id = $1`,
    [idOf(own, 'report_runs'), sha256, idOf(own, 'reports')],
  )
  // A run that nobody has begun yet, which can be cancelled.
  const waiting = await foyer.get(reportRuns.runNow, { id: idOf(own, 'reports') }, editor)
  // A draft that can be approved, and one that can be recalculated and deleted.
  const draftOf = async (night: string) => {
    await foyer.get(nights.correctNight, { property_id, night, occupied_units: 1, note: 'Sample' }, editor)
    const period = { period_start: night, period_end: night }
    return (await foyer.get(billing.createRun, { property_ids: [property_id], ...period }, editor)).data
  }
  const [approvable, draft] = [await draftOf('2026-02-02'), await draftOf('2026-02-03')]
  // An approved run with an amount and a contact, and an accounting system to send it to.
  await admin.query('update properties set rate_per_unit = 31, accounting_contact_id = $2 where id = $1', [
    property_id,
    idOf(own, 'accounting_contacts'),
  ])
  await admin.query("update accounting_integrations set tenant_id = 'own', organisation_id = 'own' where id = $1", [
    idOf(own, 'accounting_integrations'),
  ])
  const approved = await draftOf('2026-02-04')
  await foyer.get(billing.approveRun, { id: approved.id }, editor)
  // A user who comes back from each provider.
  const walked = async (authorize: typeof accounting.authorize | typeof marketing.authorize, provider: Consenting) =>
    may(who.user, authorize) ? provider.consent((await foyer.get(authorize, {}, who)).data.url) : {}
  const toCome = { room_id: idOf(own, 'rooms'), arrives_on: aDay() }
  const ownGuest = may(who.user, roomGuests.create)
    ? (await foyer.roomGuest(who, { room_id: idOf(own, 'rooms') })).id
    : 0
  const ownKey = may(who.user, apiKeys.createForUser) ? (await foyer.apiKey(who)).id : 0
  const [givenUp] = await foyer.query<{ id: string }>(
    `insert into due_work (customer_id, kind, about_id, state) values ($1, 'mail', 0, 'failed') returning id`,
    [editor.user.customer.id],
  )
  // A list that waits and that moves nobody out, of an interface for one property.
  const system = await foyer.propertyInterface(editor, {
    property_interface_type_id: 5,
    owner_type: 'Property',
    owner_id: property_id,
    settings: { signing_secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}` },
  })
  await admin.query(
    `insert into property_links (customer_id, property_interface_id, pending, pending_moves_out)
     values ($1, $2, '{"kind": "all", "at": "2026-01-01T00:00:00Z", "stays": []}', 0)`,
    [editor.user.customer.id, system.id],
  )
  const cloud = await foyer.propertyInterface(editor, {
    property_interface_type_id: 4,
    owner_type: 'Property',
    owner_id: property_id,
  })
  const agreed = async () =>
    may(who.user, interfaces.authorize) && !isProgram(world, who)
      ? providers.apaleo.consent((await foyer.get(interfaces.authorize, { id: cloud.id }, who)).data.url)
      : {}
  const { data: nest } = await foyer.get(connections.create, providers.owls.asked, editor)
  const allowed = async () =>
    may(who.user, connections.authorize) && !isProgram(world, who)
      ? providers.owls.consent((await foyer.get(connections.authorize, { id: nest.id }, who)).data.url)
      : {}
  const [failed] = await foyer.query<{ id: number }>(
    `insert into imports (customer_id, property_id, kind, file_name, outcome) values ($1, $2, 'accounts', 'guests.csv', 'failed')
     returning id`,
    [editor.user.customer.id, property_id],
  )
  const didNotCome = await foyer.roomGuest(editor, toCome)
  await foyer.get(roomGuests.noShow, { ids: [didNotCome.id] }, editor)
  return {
    '/property-interfaces-authorize': { id: cloud.id },
    '/property-interfaces-connect': await agreed(),
    '/property-interfaces-confirm': { id: system.id, moves_out: 0 },
    '/attention-mark': { kind: 'failed_import', about_id: failed?.id, as: 'later' },
    '/due-work-dismiss': { ids: [Number(givenUp?.id)] },
    '/vouchers/find-by-code/{code}': { code },
    '/vouchers-validate': { code },
    '/accounting-integrations-create': await walked(accounting.authorize, providers.xero),
    '/marketing-integrations-create': await walked(marketing.authorize, providers.mailchimp),
    '/connections-create': providers.pigeons.asked,
    '/connections-authorize': { id: nest.id },
    '/connections-connect': await allowed(),
    '/occupancy-nights-correct': { night: '2026-02-01', occupied_units: 1 },
    '/billing-runs-approve': { id: approvable.id },
    '/billing-runs-push': { id: approved.id },
    '/billing-runs-check': { id: approved.id },
    '/billing-runs-redraft': { id: draft.id },
    '/billing-runs-delete/{id}': { id: draft.id },
    '/report-runs-cancel': { id: waiting.data.id },
    '/reports-export': { columns: ['usage_gb'] },
    '/imports-undo': { id: imported.data.id },
    '/user-api-tokens-delete/{id}': { id: ownKey },
    '/room-guests-check-in': { ids: [(await foyer.roomGuest(editor, toCome)).id] },
    '/room-guests-no-show': { ids: [(await foyer.roomGuest(editor, toCome)).id] },
    '/room-guests-reinstate': { ids: [didNotCome.id] },
    // Only what the caller has just done is taken back.
    '/room-guests-undo': { ids: [ownGuest], act: 'check_in' },
    '/room-guests-check-out': { ids: [(await foyer.roomGuest(editor, { room_id: idOf(own, 'rooms') })).id] },
    '/rooms-delete': { id: (await foyer.room(editor, { property_id })).id },
    '/packages-delete/{id}': { id: (await foyer.package(editor)).id },
    '/portals-delete': { id: (await foyer.portal(editor)).id },
    // Nobody is online there.
    '/gateways-delete/{id}': { id: (await foyer.gateway(editor, { property_id })).id },
    '/properties-delete/{id}': { id: (await foyer.property(editor)).id },
    '/groups-delete/{id}': { id: (await foyer.group(editor)).id },
  }
}

/** Whoever names a record twice means it once. */
const twice = ({ ids, ...ask }: CallInput): CallInput =>
  Array.isArray(ids) ? { ...ask, ids: [...(ids as unknown[]), ...(ids as unknown[])] } : ask
const isFor = (text: string, ids: unknown[]) => {
  const { data } = JSON.parse(text) as { data: { ids?: unknown[] } }
  return data.ids === undefined || data.ids.length === ids.length
}

describe.each(sample(callers, 5))('%s', (name) => {
  // A separate world, because these calls change it.
  let world: World
  beforeAll(async () => void (world = await openWorld()))
  afterAll(() => world.close())

  test('does everything that they may', async () => {
    const who = { ...world.people, ...world.programs }[name]
    const theirs = inOrder.filter((call) => may(who.user, call.endpoint) && !outOfReach(world, who, call))
    expect(theirs.length).toBeGreaterThan(20)
    const own = await suited(world, who)
    const refused: string[] = []
    for (const call of theirs) {
      await world.rest()
      const ask: CallInput = { ...askFor(call, world.own), ...own[call.endpoint.path] }
      const { status, text } = await world.send(call.endpoint, twice(ask), who)
      if (status !== call.endpoint.status) refused.push(`${call.name}: ${status} ${text}`)
      else if (Array.isArray(ask['ids']) && !isFor(text, ask['ids'])) refused.push(`${call.name} twice: ${text}`)
    }
    expect(refused).toEqual([])
  })
})
