// Voucher batches: codes that are made together, to be sold or given out.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import * as contract from '#contract/voucher-batches.ts'
import type { Output, Parsed } from '#contract/endpoint.ts'
import { allows } from '#contract/permissions.ts'
import { logActivity, namingGuest } from '#server/entities/activity-log.ts'
import type { Services } from '#server/services.ts'
import { invalid } from '#server/errors/refused.ts'
import { serve } from '#server/api/serve.ts'
import { voucherCodes } from '#server/deliveries/mail-templates.ts'
import { mailedCode } from '#server/deliveries/mailed-codes.ts'
import { queueMail } from '#server/deliveries/mails.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { entity, nameOf } from '#server/entities/entity.ts'
import { exportRows } from '#server/entities/list-files.ts'
import { listRows } from '#server/entities/lists.ts'
import { oneRow } from '#server/entities/read.ts'
import { writeSealed, openSealed, type Sealed } from '#server/entities/sealed.ts'
import { activateRow, deactivateRows, removeRow } from '#server/entities/verbs.ts'
import { writeCodes } from '#server/vouchers/codes.ts'
import { codesLeft, hasCodesLeft } from '#server/vouchers/remaining-codes.ts'
import { exportBatch } from '#server/vouchers/export.ts'

type Batch = Output<typeof contract.get>
type Settings = Parsed<typeof contract.create>

/** The batch's group: for a batch of a property, the group that the property is in now. */
const group_id = sql`
  case when t.property_id is null then t.group_id
    else (select p.group_id from properties as p where p.customer_id = t.customer_id and p.id = t.property_id) end`
/** Everybody who sees the batch may know whether it has a password; only those who may write batches see it. */
const has_password = sql`
  exists (select from voucher_batch_passwords as w where w.customer_id = t.customer_id and w.voucher_batch_id = t.id)`

const batches = entity({
  table: 'voucher_batches',
  label: 'batch_number',
  row: contract.VoucherBatchRow,
  detail: contract.VoucherBatch.omit({ password: true }),
  fields: contract.fields,
  computed: {
    package: nameOf('packages', 'package_id'),
    property: nameOf('properties', 'property_id'),
    group: sql`
      (select json_build_object('id', g.id, 'name', g.name) from groups as g
        where g.customer_id = t.customer_id and g.id = ${group_id})`,
    group_id,
    has_password,
    left: sql`codes_left(t)`,
  },
  filters: {
    /** Batches that are good in one of these properties: their own, and those of their groups. */
    property_id: ({ is }) => sql`
      (${is(sql`t.property_id`)} or t.property_id is null and t.group_id in
        (select p.group_id from properties as p where p.customer_id = t.customer_id and ${is(sql`p.id`)}))`,
    group_id: ({ is }) => is(group_id),
    left: ({ is }) => is(hasCodesLeft),
  },
  belongs: { group_id: 'group_id', property_id: 'property_id' },
})

const oneOfBoth = 'Please choose a property, or a group to make the codes good in all of its properties'
const notOfGroup = 'This property is not in the chosen group'

/**
 * Where the codes are good: in the property, or without one in the group. Users of a property or group make them for their own; so do
 * keys, unless they are limited to less than their owner.
 */
async function placed(scope: Scope, { property_id, group_id }: Pick<Settings, 'property_id' | 'group_id'>) {
  const { owner_type, owner_id } = scope.owner
  const { reach } = scope
  const isWhole = reach.of === owner_type && reach.of !== 'Customer' && reach.ids.includes(owner_id)
  if (isWhole && owner_type === 'Property') return { property_id: owner_id, group_id: null }
  if (property_id == null) {
    const group = group_id ?? (isWhole && owner_type === 'Group' ? owner_id : null)
    if (group === null) throw invalid({ property_id: [oneOfBoth], group_id: [oneOfBoth] })
    return { property_id: null, group_id: group }
  }
  const [property] = await scope.run(sql<ColumnsOf<'properties', 'group_id'>>`
    select t.group_id from properties as t where t.id = ${property_id} and ${scope.inReach('properties', 't')}`)
  if (group_id != null && property?.group_id !== group_id) throw invalid({ property_id: [notOfGroup] })
  return { property_id, group_id: null }
}

/** `B-2026-000123`: the year in the customer's time zone, and the running number of the customer's batches. */
async function nextNumber(scope: Scope): Promise<string> {
  const [made] = await scope.run(sql<{ year: number; count: number }>`
    update customers set voucher_batches_made = voucher_batches_made + 1 where id = ${scope.customer_id}
    returning extract(year from local_day(app_now(), time_zone))::integer as year, voucher_batches_made as count`)
  if (!made) throw new Error('a batch needs a customer')
  return `B-${made.year}-${String(made.count).padStart(6, '0')}`
}

export default ({ seal, queue, portal_url }: Pick<Services, 'seal' | 'queue' | 'portal_url'>) => {
  const passwords: Sealed<'password'> = { by: seal, fields: { password: 'voucher_batch_passwords.sealed_password' } }
  const whole = async (scope: Scope, batch: Omit<Batch, 'password'>): Promise<Batch> => ({
    ...batch,
    password: allows(scope.can, 'voucher_batches', 'write')
      ? await openSealed(scope, passwords, 'password', batch.id)
      : null,
  })
  const one = async (scope: Scope, id: number) => whole(scope, await oneRow(scope, batches, id))

  async function make(scope: Scope, { password, ...settings }: Settings): Promise<Batch> {
    const place = await placed(scope, settings)
    const id = await scope.insert('voucher_batches', { ...settings, ...place, batch_number: await nextNumber(scope) })
    await writeSealed(scope, passwords, id, { password })
    await writeCodes(scope, id, settings.quantity)
    const batch = await one(scope, id)
    await logActivity(scope, { action: 'create', entity: batches, row: batch, before: null, after: batch })
    return batch
  }

  /** The same settings with new codes. An ended batch cannot be duplicated: its codes would be invalid when printed. */
  async function duplicate(scope: Scope, id: number): Promise<Batch> {
    const { property_id, group_id, ...former } = await oneRow(scope, batches, id)
    const settings = contract.VoucherBatchInput.safeParse({
      ...former,
      // Whether or not the caller may see it.
      password: await openSealed(scope, passwords, 'password', id),
      ...(property_id === null ? { group_id } : { property_id }),
    })
    if (!settings.success) throw invalid({ id: ['This batch has expired. Create a new one with a later end.'] })
    return make(scope, { ...settings.data, active: true })
  }

  return serve(contract, {
    list: ({ scope, input }) => listRows(scope, batches, input),
    exportList: (call) => exportRows(call, batches),
    get: ({ scope, input }) => one(scope, input.id),
    create: ({ scope, input }) => make(scope, input),
    duplicate: ({ scope, input }) => duplicate(scope, input.id),
    exportCodes: async ({ scope, input: { id, ...wanted }, later }) => {
      const row = await oneRow(scope, batches, id)
      await logActivity(scope, { action: 'export', entity: batches, row, before: null, after: wanted })
      return exportBatch(scope, { id, ...wanted, portal_url }, later)
    },
    sendCodes: async ({ scope, input: { id, email } }) => {
      const row = await oneRow(scope, batches, id)
      const left = await codesLeft(scope, id)
      const codes = left.codes.map((voucher) => mailedCode(scope, voucher))
      await queueMail(scope, queue, voucherCodes(email, { id, ...left, codes }))
      const after = namingGuest({ mailed_to: email })
      await logActivity(scope, { action: 'export', entity: batches, row, before: null, after })
      return { sent: left.codes.length }
    },
    activate: async ({ scope, input }) => whole(scope, await activateRow(scope, batches, input.id)),
    deactivate: ({ scope, input }) => deactivateRows(scope, batches, input.ids),
    remove: ({ scope, input }) => removeRow(scope, batches, input.id),
  })
}
