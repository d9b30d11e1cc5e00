// Properties: the buildings or sites whose guests get Wi-Fi.
import { sql } from 'kysely'
import * as contract from '#contract/properties.ts'
import { decimalOf, moneyTooFine } from '#contract/money.ts'
import { propertyStates, propertyWords } from '#contract/status.ts'
import { serve } from '#server/api/serve.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { invalid } from '#server/errors/refused.ts'
import { nameOfZone } from '#server/entities/zone-names.ts'
import type { Services } from '#server/services.ts'
import { entity, nameOf } from '#server/entities/entity.ts'
import { contactName } from '#server/integrations/contact-name.ts'
import { exportRows } from '#server/entities/list-files.ts'
import { listRows, nameRows } from '#server/entities/lists.ts'
import { placedInGroup } from '#server/entities/owner.ts'
import { portalOf } from '#server/entities/shown-portal.ts'
import { lockedRow, oneRow } from '#server/entities/read.ts'
import { removalKind } from '#server/entities/removal.ts'
import { refuseForeignMembers } from '#server/resources/collections/collection-members.ts'
import { limitsKept } from './limits-kept.ts'
import { refuseWhileOnline } from '#server/sessions/refuse-while-online.ts'
import { activateRow, changeRows, createRow, deactivateRows, removeRow, updateRow } from '#server/entities/verbs.ts'

/** Those without a state come after all others. */
const severity = sql`coalesce((select s.severity from property_states as s where s.customer_id = t.customer_id and s.property_id = t.id),
  ${sql.lit(propertyWords.length + 1)})`

const properties = entity({
  table: 'properties',
  row: contract.PropertyRow,
  detail: contract.Property,
  fields: contract.fields,
  computed: {
    state: sql`(select json_build_object('word', s.word, 'since', s.since, 'sentence', s.sentence) from property_states as s
      where s.customer_id = t.customer_id and s.property_id = t.id)`,
    guests_online: sql`
      coalesce((select s.online from property_states as s where s.customer_id = t.customer_id and s.property_id = t.id), 0)`,
    currency: sql`property_currency(t)`,
    currency_from: sql`case when t.currency is not null then 'property' when t.country_id is not null then 'country'
      else 'customer' end`,
    group: nameOf('groups', 'group_id'),
    portal: nameOf('portals', 'portal_id'),
    shown_portal: sql`(select json_build_object('id', p.id, 'name', p.name) from portals as p
      where p.customer_id = t.customer_id and p.id = ${portalOf('t')} and p.deleted_at is null)`,
    package: nameOf('packages', 'package_id'),
    accounting_contact: contactName,
    collection_id: (scope: Scope) => sql`
      (select min(m.collection_id) from collection_properties as m
        join collections as c on c.customer_id = m.customer_id and c.id = m.collection_id
        where m.customer_id = t.customer_id and m.property_id = t.id and c.deleted_at is null and ${scope.inReach('collections', 'c')})`,
  },
  members: {
    collection_ids: { table: 'collection_properties', mine: 'property_id', theirs: 'collection_id', of: 'collections' },
  },
  filters: {
    state: ({ is }) => sql`
      t.id in (select s.property_id from property_states as s where s.customer_id = t.customer_id and ${is(sql`s.word`)})`,
    collection_id: ({ is }) => sql`
      exists (select from collection_properties as m
        where m.customer_id = t.customer_id and m.property_id = t.id and ${is(sql`m.collection_id`)})`,
  },
  candidates: {
    collection_id: ({ is }) => sql`
      not exists (select from collections as c
        where c.customer_id = t.customer_id and ${is(sql`c.id`)} and c.group_id <> coalesce(t.group_id, 0))`,
  },
  sorts: { state: { type: 'integer', by: severity } },
  requiredUnlessDraft: contract.requiredUnlessDraft,
  reckoned: ['state', 'guests_online', 'shown_portal'],
  belongs: { property_id: 'id' },
})

interface Zone {
  time_zone: string
  time_zone_assumed: boolean
}
interface Placed {
  time_zone?: string | null | undefined
  country_id?: number | null | undefined
}

/** The zone to write: the given one, or else the country's if the country is new or the zone is being cleared. */
async function zoneOf(scope: Scope, { time_zone, country_id }: Placed, id?: number): Promise<Partial<Zone>> {
  if (time_zone != null) return { time_zone: await nameOfZone(scope, time_zone), time_zone_assumed: false }
  if (id !== undefined && time_zone === undefined && country_id === undefined) return {}
  const [zone] = await scope.run(sql<Zone>`
    select coalesce(c.time_zone, 'UTC') as time_zone, coalesce(c.several_clocks, false) as time_zone_assumed
    from (select) as always
    left join properties as t on t.id = ${id ?? null}::integer and ${scope.inReach('properties', 't')}
    left join countries as c on c.id = ${country_id === undefined ? sql`t.country_id` : sql`${country_id}::integer`}
    where t.id is null or ${time_zone === null}::boolean or c.id is distinct from t.country_id`)
  return zone ?? {}
}

/**
 * The zone and the currency are answered as they result from the country, unless they are set. A whole record sent back as it was
 * read sets neither; sending the zone or the currency alone does.
 */
async function withoutSentBack<I extends Placed & { id: number; currency?: string | null | undefined }>(
  scope: Scope,
  input: I,
): Promise<I> {
  const { id, country_id, time_zone, currency } = input
  if (country_id === undefined || (time_zone == null && currency == null)) return input
  const [now] = await scope.run(sql<{ time_zone: string; currency: string }>`
    select t.time_zone, property_currency(t) as currency from properties as t
    where t.id = ${id} and t.country_id is not distinct from ${country_id}::integer and ${scope.inReach('properties', 't')}`)
  return {
    ...input,
    ...(now?.time_zone === time_zone && { time_zone: undefined }),
    ...(now?.currency === currency && { currency: undefined }),
  }
}

interface Priced {
  rate_per_unit: number
  currency: string
}

/**
 * Refuses a rate with more decimal places than the coin has, where the rate or the coin is new: one that was stored before stays.
 * It is refused on the field that was sent.
 */
function refuseTooFine(now: Priced, sent: object, before?: Priced) {
  if (now.rate_per_unit === before?.rate_per_unit && now.currency === before.currency) return
  const refusal = moneyTooFine(decimalOf(now.rate_per_unit) ?? '', now.currency)
  if (!refusal) return
  const field = (['rate_per_unit', 'currency'] as const).find((name) => name in sent) ?? 'country_id'
  throw invalid({ [field]: [field === 'rate_per_unit' ? refusal : `Change the rate as well. ${refusal}`] })
}

const pricedOf = async (scope: Scope, id: number): Promise<Priced | undefined> => {
  const [priced] = await scope.run(sql<Priced>`
    select t.rate_per_unit, property_currency(t) as currency from properties as t
    where t.id = ${id} and ${scope.inReach('properties', 't')}`)
  return priced
}

/** The given collections, or else those that the property is in, plus one more; one that was read beside them is no other. */
async function collectionsWith(
  scope: Scope,
  { id, collection_ids }: { id: number; collection_ids?: number[] | undefined },
  collection_id: number,
): Promise<number[]> {
  const before = await oneRow(scope, properties, id)
  if (collection_ids && collection_id === before.collection_id) return collection_ids
  return [...new Set([...(collection_ids ?? before.collection_ids), collection_id])]
}

/** Refuses collections of other groups. */
const refuseElsewhere = (scope: Scope, id: number) =>
  refuseForeignMembers(
    scope,
    sql`t.id in (select m.collection_id from collection_properties as m where m.customer_id = t.customer_id and m.property_id = ${id})`,
    { properties: 'collection_ids' },
  )

export default ({ queue }: Pick<Services, 'queue'>) =>
  serve(contract, {
    list: ({ scope, input }) => listRows(scope, properties, input),
    exportList: (call) => exportRows(call, properties, { state: ({ word }) => propertyStates[word] }),
    names: ({ scope }) => nameRows(scope, properties, contract.PropertyName),
    nameList: ({ scope, input }) => listRows(scope, properties, input, contract.PropertyName),
    groupNames: ({ scope, input }) =>
      nameRows(scope, properties, contract.PropertyName, sql`t.group_id = ${input.group_id}`),
    groupNameList: ({ scope, input }) => listRows(scope, properties, input, contract.PropertyName),
    get: ({ scope, input }) => oneRow(scope, properties, input.id),
    limits: ({ scope, input }) => limitsKept(scope, input),
    create: async ({ scope, input: { collection_id, ...input } }) => {
      if (collection_id != null) input.collection_ids = [...new Set([...input.collection_ids, collection_id])]
      const placed = placedInGroup(scope, input)
      const property = await createRow(scope, properties, { ...placed, ...(await zoneOf(scope, input)) })
      refuseTooFine(property, input)
      await refuseElsewhere(scope, property.id)
      return property
    },
    update: async ({ scope, input: { collection_id, ...sent } }) => {
      const input = await withoutSentBack(scope, sent)
      if (collection_id != null) input.collection_ids = await collectionsWith(scope, input, collection_id)
      const named = 'group_id' in input ? placedInGroup(scope, input) : input
      const { time_zone: _, ...rest } = named
      const before = await pricedOf(scope, input.id)
      const property = await updateRow(scope, properties, { ...rest, ...(await zoneOf(scope, input, input.id)) })
      refuseTooFine(property, sent, before)
      if (input.collection_ids) await refuseElsewhere(scope, input.id)
      return property
    },
    deactivate: ({ scope, input }) => deactivateRows(scope, properties, input.ids),
    activate: ({ scope, input }) => activateRow(scope, properties, input.id),
    remove: async ({ scope, input }) => {
      await refuseWhileOnline(scope, 'property', await lockedRow(scope, properties, input.id))
      const removed = await removeRow(scope, properties, input.id)
      // Its rooms, devices, accounts and batches are hidden at once; a job marks them as removed later.
      await queue.send(removalKind, {})
      return removed
    },
    assignPortal: ({ scope, input: { ids, portal_id } }) => changeRows(scope, properties, ids, { portal_id }, 'update'),
  })
