// Vouchers: listing codes, testing the state of one at the desk, and taking codes back.
import { sql } from 'kysely'
import * as contract from '#contract/vouchers.ts'
import type { Output } from '#contract/endpoint.ts'
import { helpIn } from '#catalogue/spoken.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { limitCaller } from '#server/fairness/limits.ts'
import type { Services } from '#server/services.ts'
import { notFound } from '#server/errors/refused.ts'
import { serve, staged } from '#server/api/serve.ts'
import { logActivityOfMany } from '#server/entities/activity-log.ts'
import type { Logged } from '#server/entities/entity.ts'
import { unreachableIds } from '#server/entities/verbs.ts'
import { findVoucher, voucherById, type Voucher } from '#server/vouchers/find.ts'
import { lastFourOf } from '#server/vouchers/shown-codes.ts'
import { listVouchers } from '#server/vouchers/list.ts'
import { bytes_per_gb, isValid, voucherState } from '#server/vouchers/state.ts'

type VoucherState = Output<typeof contract.validate>
interface Question {
  code: string
  batch_id?: number | null | undefined
}

const ofBatch = (column: 'group_id' | 'property_id') => sql`
  (select ${sql.ref(`b.${column}`)} from voucher_batches as b where b.customer_id = t.customer_id and b.id = t.voucher_batch_id)`
/** Only the end of a code is logged: enough to tell codes apart, but not to use them. */
const code: Logged = {
  table: 'vouchers',
  label: sql`${contract.mask}::text || ${lastFourOf('t')}`,
  belongs: { group_id: ofBatch('group_id'), property_id: ofBatch('property_id') },
}

/** More than a desk can do: a caller who asks more often is guessing codes. */
const checks_per_minute_max = 30

function stateOfVoucher({ language, codes }: Scope, voucher: Voucher): VoucherState {
  const reason = voucherState(voucher)
  return {
    id: voucher.id,
    code: contract.shown(codes.open(voucher)),
    state: isValid(reason) ? 'valid' : 'invalid',
    reason: helpIn(language)(`voucher.${reason}`),
    property: voucher.place,
    good_in: voucher.good_in,
    batch_number: voucher.batch_number,
    package: { name: voucher.package_name, volume_gb: voucher.volume_gb, speed: voucher.speed_mbps },
    redeemed: voucher.redeemed_at !== null,
    redeemed_at: voucher.redeemed_at,
    expires_at: voucher.clock_ends_at ?? voucher.ends_at,
    taken_back_at: voucher.taken_back_at,
    data_used: Math.round((voucher.bytes_used / bytes_per_gb) * 1000) / 1000,
  }
}

export default ({ tenancy }: Pick<Services, 'tenancy'>) => {
  const check = staged<Question, void, VoucherState>(
    ({ caller }) =>
      limitCaller(tenancy, caller, { what: 'voucher checks', tries_max: checks_per_minute_max, window_s: 60 }),
    async ({ scope, input: { code, batch_id } }) => {
      const voucher = await findVoucher(scope, { code: contract.normalised(code), batch_id })
      if (!voucher) throw notFound()
      return stateOfVoucher(scope, voucher)
    },
  )
  return serve(contract, {
    list: ({ scope, input }) => listVouchers(scope, input),
    findByCode: check,
    validate: check,
    deactivate: async ({ scope, input: { ids } }) => {
      const known = await scope.run(sql`
        select from vouchers as t
        join voucher_batches as b on b.customer_id = t.customer_id and b.id = t.voucher_batch_id and b.deleted_at is null
        where t.id = any(${ids}::bigint[]) and ${scope.inReach('vouchers', 't')} order by t.id for no key update of t`)
      if (known.length !== ids.length) throw unreachableIds()
      await scope.change('vouchers', ids, { taken_back_at: sql`coalesce(taken_back_at, now())` })
      await logActivityOfMany(scope, { action: 'deactivate', entity: code, ids, after: { taken_back: true } })
      return { ids }
    },
    activate: async ({ scope, input: { id } }) => {
      if (!(await voucherById(scope, id, null))) throw notFound()
      await scope.change('vouchers', [id], { taken_back_at: null })
      await logActivityOfMany(scope, { action: 'activate', entity: code, ids: [id], after: { taken_back: false } })
      const voucher = await voucherById(scope, id, null)
      if (!voucher) throw notFound()
      return stateOfVoucher(scope, voucher)
    },
  })
}
