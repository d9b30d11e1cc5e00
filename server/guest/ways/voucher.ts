// Voucher: a code, and the batch's password where it has one. Whether it is good is looked at here, so that the page can say
// why not; RADIUS looks again.
import { normalised } from '#contract/vouchers.ts'
import { reasonOf } from '#server/admission/redeemed.ts'
import { redeemCode } from '#server/vouchers/redeem.ts'
import { refuse, type Way } from './way.ts'

export const voucher: Way = {
  chosenBy: 'voucher_code',
  shownAgain: ['voucher_code'],
  async find(scope, seal, tried) {
    const { gateway, guest, fields } = tried
    const code = normalised(fields['voucher_code'] ?? '')
    if (code === '') return { refused: 'incomplete' }
    const { property_id } = gateway
    const credentials = { kind: 'password', password: fields['voucher_password'] ?? '' } as const
    const outcome = await redeemCode(scope, seal, { code, property_id, mac_address: guest.mac_address, credentials })
    if (outcome.admitted) return { holder: { kind: 'voucher', id: outcome.voucher.id } }
    return refuse(scope, tried, { identifier: code, reason: reasonOf(outcome.reason) })
  },
}
