// Vouchers: what a code is and how it stands, for the desk that tests it.
import * as contract from '#contract/vouchers.ts'
import type { Output } from '#contract/endpoint.ts'
import { limitCaller } from '#server/fairness/limits.ts'
import type { Services } from '#server/services.ts'
import { notFound } from '#server/errors/refused.ts'
import { serve, staged } from '#server/api/serve.ts'
import { findVoucher, type Voucher } from '#server/vouchers/find.ts'
import { listVouchers } from '#server/vouchers/list.ts'
import { bytes_per_gb, isValid, stateOf } from '#server/vouchers/state.ts'

type VoucherState = Output<typeof contract.validate>
interface Question {
  code: string
  batch_id?: number | null | undefined
}

/** Whoever asks much more often than a desk can is trying codes out. */
const checks_per_minute_max = 30

function told(voucher: Voucher): VoucherState {
  const reason = stateOf(voucher)
  return {
    code: contract.shown(voucher.code),
    state: isValid(reason) ? 'valid' : 'invalid',
    reason: contract.reasons[reason],
    property: voucher.place,
    batch_number: voucher.batch_number,
    package: { name: voucher.package_name, volume_gb: voucher.volume_gb, speed: voucher.speed_mbps },
    redeemed: voucher.redeemed_at !== null,
    redeemed_at: voucher.redeemed_at,
    expires_at: voucher.clock_ends_at ?? voucher.ends_at,
    data_used: Math.round((voucher.bytes_used / bytes_per_gb) * 1000) / 1000,
  }
}

export default ({ tenancy }: Services) => {
  const check = staged<Question, void, VoucherState>(
    ({ caller }) => limitCaller(tenancy, caller, 'voucher checks', checks_per_minute_max, 60),
    async ({ scope, input: { code, batch_id } }) => {
      const voucher = await findVoucher(scope, { code: contract.normalised(code), batch_id })
      if (!voucher) throw notFound()
      return told(voucher)
    },
  )
  return serve(contract, { list: ({ scope, input }) => listVouchers(scope, input), findByCode: check, validate: check })
}
