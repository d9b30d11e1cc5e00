// Guest help: why a guest cannot get online, and the helping calls that no other resource has.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import * as contract from '#contract/guest-help.ts'
import { mask } from '#contract/vouchers.ts'
import { forbidden, invalid, notFound } from '#server/errors/refused.ts'
import { helpIn } from '#catalogue/spoken.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { columnOf, factsOf, type Holder } from '#server/admission/holders.ts'
import { serve } from '#server/api/serve.ts'
import { logActivity, namingGuest } from '#server/entities/activity-log.ts'
import { unreachableIds } from '#server/entities/verbs.ts'
import { groupsCalled } from '#server/stays/travel-groups.ts'
import { endAtDesk, placeGivenAway } from '#server/resources/sessions/sessions.ts'
import type { Services } from '#server/services.ts'
import { voucherById } from '#server/vouchers/find.ts'
import { lastFourOf, seesCodes } from '#server/vouchers/shown-codes.ts'
import { clockSeconds } from '#server/vouchers/redeem.ts'
import { queueMail } from '#server/deliveries/mails.ts'
import { howToSignIn } from '#server/deliveries/mail-templates.ts'
import { languageOfGuest } from './guest-language.ts'
import { guestRecordOf, type Subject } from './guest-record.ts'
import { instructionsOf } from './instructions.ts'
import { candidates, roomCalled } from './search.ts'
import { subjectOf } from './subject.ts'

/** What the log attaches actions on a holder to. */
const logged = {
  account: { table: 'accounts', belongs: { property_id: 'property_id' } },
  // Some who may read the log may not see codes.
  voucher: { table: 'vouchers', label: sql`${sql.lit(mask)} || ${lastFourOf('t')}` },
  device: { table: 'devices', belongs: { property_id: 'property_id' } },
  // The log outlives a guest's data, so it names nobody.
  guest: { table: 'guests', label: 'id', belongs: { property_id: 'property_id' } },
} as const

/** Locks the holder's row, as admission does. */
async function lock(scope: Scope, { kind, id }: Holder) {
  const { table } = logged[kind]
  const [found] = await scope.run(sql`
    select from ${sql.table(table)} as t where t.id = ${id} and ${scope.inReach(table, 't')} for no key update`)
  if (!found) throw notFound()
}

const log = (scope: Scope, { kind, id }: Holder, after: Record<string, unknown>) =>
  logActivity(scope, { action: 'update', entity: logged[kind], row: { id }, before: null, after })

interface Used {
  seconds: number
  bytes: number
}

/** Offsets the present period's usage by a negative row in the same period; what sessions report is left untouched. */
async function renew(scope: Scope, holder: Holder): Promise<Used> {
  await lock(scope, holder)
  const used = holder.kind === 'voucher' ? await renewVoucher(scope, holder.id) : await usedBy(scope, holder)
  await scope.insert('usage_periods', {
    [columnOf(holder)]: holder.id,
    starts_at: sql`clock_timestamp()`,
    seconds_used: -used.seconds,
    bytes_used: -used.bytes,
  })
  await log(scope, holder, { allowance_renewed: true, seconds_used: used.seconds, bytes_used: used.bytes })
  return used
}

async function usedBy(scope: Scope, { kind, id }: Holder): Promise<Used> {
  const { property, holder } = await guestRecordOf(scope, { kind, id, property_id: null })
  if (property === null || holder === null || holder.kind === 'voucher') return { seconds: 0, bytes: 0 }
  const sought = { holder: { kind: holder.kind, id }, mac_address: null }
  const facts = await factsOf(scope, property.id, sought)
  return { seconds: facts?.seconds_used ?? 0, bytes: facts?.bytes_used ?? 0 }
}

/** Restarts its clock, too. An allowance that does not recur is also counted on the voucher itself. */
async function renewVoucher(scope: Scope, id: number): Promise<Used> {
  const voucher = await voucherById(scope, id, null)
  if (!voucher) throw notFound()
  if (voucher.recurs !== 'none') return { seconds: voucher.seconds_used, bytes: voucher.bytes_used }
  const [used] = await scope.run(sql<Used>`
    select coalesce(sum(t.seconds_used), 0)::bigint as seconds, coalesce(sum(t.bytes_used), 0)::bigint as bytes
    from usage_periods as t where t.voucher_id = ${id} and ${scope.inReach('usage_periods', 't')}`)
  const clock_s = voucher.clock_ends_at === null ? null : clockSeconds(voucher)
  await scope.change('vouchers', [id], {
    seconds_used: 0,
    bytes_used: 0,
    ...(clock_s !== null && { expires_at: sql`now() + make_interval(secs => ${clock_s}::float)` }),
  })
  return used ?? { seconds: 0, bytes: 0 }
}

export default ({ queue, portal_url }: Pick<Services, 'queue' | 'portal_url'>) => {
  async function forget(scope: Scope, holder: Holder, mac_address: string) {
    await lock(scope, holder)
    const column = sql.ref(columnOf(holder))
    const sessions = await scope.run(sql<ColumnsOf<'radius_sessions', 'id'>>`
      select t.id from radius_sessions as t
      where t.${column} = ${holder.id} and t.mac_address = ${mac_address}::macaddr and t.stopped_at is null
        and ${scope.inReach('radius_sessions', 't')}`)
    if (holder.kind !== 'device') await scope.unlink('guest_devices', { [columnOf(holder)]: holder.id, mac_address })
    const ids = sessions.map(({ id }) => id)
    const asked = ids.length > 0 ? await endAtDesk(scope, queue, ids, placeGivenAway) : 0
    await log(scope, holder, namingGuest({ device_forgotten: mac_address }))
    return { asked }
  }

  async function letTryAgain(scope: Scope, property_id: number, mac_address: string) {
    const gateways = await scope.run(sql<{ id: number; forgiven: unknown }>`
      select t.id, customer_forgive('sign-in ' || ${mac_address} || ':gateway:' || t.id)::text as forgiven
      from gateways as t where t.property_id = ${property_id} and ${scope.inReach('gateways', 't')}`)
    if (gateways.length === 0) throw unreachableIds()
    const values = { property_id, mac_address, gateway_id: gateways[0]?.id, accepted: false, reason: 'let_again' }
    const id = await scope.insert('radius_authorisations', values)
    const entity = { table: 'properties', belongs: { property_id: 'id' } } as const
    const row = { id: property_id }
    const after = namingGuest({ let_try_again: mac_address })
    await logActivity(scope, { action: 'update', entity, row, before: null, after })
    return { id }
  }

  /** Logs whose sign-in was mailed and to which address, as it is worth money. */
  async function send(scope: Scope, subject: Subject, email: string) {
    const known = await guestRecordOf(scope, subject)
    // The mail would have the end of the code alone.
    if (known.voucher !== null && !seesCodes(scope)) throw forbidden()
    const language = await languageOfGuest(scope, known)
    const tell = await instructionsOf(scope, known, portal_url, language)
    if (tell === null || known.property === null)
      throw invalid({ id: [helpIn(scope.language)('refuse.nothing-to-type')] })
    const mail = howToSignIn({ name: known.name, email }, { ...tell, place: known.property.name }, language)
    const to_own_guest = email.toLowerCase() === known.email?.toLowerCase()
    await queueMail(scope, queue, { ...mail, property_id: known.property.id }, { to_own_guest })
    const entity = { table: 'properties', belongs: { property_id: 'id' } } as const
    const after = namingGuest({ sign_in_mailed_to: email })
    await logActivity(scope, { action: 'export', entity, row: known.property, before: null, after })
    return { email }
  }

  return serve(contract, {
    search: async ({ scope, input: { search, property_id = null, opens = false } }) => {
      const found = await candidates(scope, { typed: search, property_id })
      const [first] = opens ? found.candidates : []
      return {
        ...found,
        groups: property_id === null ? [] : await groupsCalled(scope, search, property_id),
        room: property_id === null ? null : await roomCalled(scope, search, property_id),
        opened: first ? await subjectOf(scope, { kind: first.kind, id: first.id, property_id }, { portal_url }) : null,
      }
    },
    get: ({ scope, input: { kind, id, property_id = null } }) =>
      subjectOf(scope, { kind, id, property_id }, { portal_url }),
    renew: ({ scope, input: holder }) => renew(scope, holder),
    forgetDevice: ({ scope, input: { mac_address, ...holder } }) => forget(scope, holder, mac_address),
    send: ({ scope, input: { email, ...subject } }) => send(scope, { ...subject, property_id: null }, email),
    letTryAgain: ({ scope, input: { property_id, mac_address } }) => letTryAgain(scope, property_id, mac_address),
  })
}
