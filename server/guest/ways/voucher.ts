// Voucher: a code, and the batch's password if it has one. Its validity is checked here, so that the page can say why it is
// refused; RADIUS checks it again.
import { normalised } from '#contract/vouchers.ts'
import { reasonOf } from '#server/admission/voucher-allowance.ts'
import { vouchersOf } from '#server/vouchers/find.ts'
import { redeemCode } from '#server/vouchers/redeem.ts'
import { guardOf, refuse, type Way } from './way.ts'

export const voucher: Way = {
  chosenBy: 'voucher_code',
  shownAgain: ['voucher_code'],
  askedAgain: 'voucher_password',
  async find(scope, seal, tried) {
    const { gateway, guest, fields } = tried
    const code = normalised(fields['voucher_code'] ?? '')
    if (code === '') return { refused: 'incomplete' }
    const { property_id } = gateway
    const credentials = { kind: 'password', password: fields['voucher_password'] ?? '' } as const
    const [meant] = await vouchersOf(scope, [code])
    const { waits, guessed_at } = await guardOf(scope, tried, meant ? { voucher_id: meant.id } : null)
    // The password is checked only when the voucher is redeemed; while the device waits, an existing code counts as right.
    if (waits)
      return refuse(scope, tried, { identifier: code, reason: 'too_many_tries', guessed_at, fitted: Boolean(meant) })
    const outcome = await redeemCode(scope, seal, { code, property_id, mac_address: guest.mac_address, credentials })
    if (outcome.admitted) return { holder: { kind: 'voucher', id: outcome.voucher.id } }
    const reason = reasonOf(outcome.reason)
    return refuse(scope, tried, {
      identifier: code,
      reason,
      guessed_at: reason === 'wrong_password' ? guessed_at : null,
    })
  },
}
