// Stays: a room and its days, for whoever stays there, and what the desk gives for them.
import * as contract from '#contract/stays.ts'
import type { Parsed } from '#contract/endpoint.ts'
import { helpIn } from '#catalogue/spoken.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve } from '#server/api/serve.ts'
import { usedSoFar } from '#server/deliveries/mail-templates.ts'
import { queueMail } from '#server/deliveries/mails.ts'
import { phoneNumber } from '#server/deliveries/phone-number.ts'
import { usedSoFarText } from '#server/deliveries/text-templates.ts'
import { queuePressedText } from '#server/deliveries/texts.ts'
import { logActivity, namingGuest } from '#server/entities/activity-log.ts'
import { searched } from '#server/entities/list-search.ts'
import { listRows } from '#server/entities/lists.ts'
import { oneRow } from '#server/entities/read.ts'
import type { Services } from '#server/services.ts'
import { stays, updateStay } from '#server/stays/stays.ts'
import { invalid } from '#server/errors/refused.ts'
import { staySlip, type SignInSlip } from '#server/resources/guest-help/slip.ts'
import { applyGuests } from '#server/sessions/apply-guests.ts'

/** What leaves is logged, as it is worth money. */
async function sendSlip(
  scope: Scope,
  queue: Services['queue'],
  slip: SignInSlip,
  { by, email, mobile_number }: Parsed<typeof contract.slip>,
): Promise<string> {
  const to = by === 'email' ? mailed(scope, slip, email) : texted(scope, slip, mobile_number)
  if (by === 'email') {
    const mail = { ...usedSoFar({ name: slip.note, email: to }, slip, slip.language), property_id: slip.property_id }
    await queueMail(scope, queue, mail, { to_own_guest: to.toLowerCase() === slip.email?.toLowerCase() })
  } else {
    const { property_id } = slip
    await queuePressedText(scope, queue, { kind: 'other', mobile_number: to, text: usedSoFarText(slip), property_id })
  }
  const entity = { table: 'properties', belongs: { property_id: 'id' } } as const
  await logActivity(scope, {
    action: 'export',
    entity,
    row: { id: slip.property_id },
    before: null,
    after: namingGuest({ slip_sent_to: to }),
  })
  return to
}
function mailed({ language }: Scope, slip: SignInSlip, email: string | null | undefined): string {
  const to = email ?? slip.email
  if (to === null) throw invalid({ email: [helpIn(language)('refuse.no-address')] })
  return to
}
function texted({ language }: Scope, slip: SignInSlip, mobile_number: string | null | undefined): string {
  const typed = mobile_number ?? slip.mobile_number
  if (typed === null) throw invalid({ mobile_number: [helpIn(language)('refuse.no-number')] })
  const to = phoneNumber(typed, slip.country)
  if (to === null) throw invalid({ mobile_number: [helpIn(language)('refuse.wrong-number')] })
  return to
}

export default ({ queue, portal_url }: Pick<Services, 'queue' | 'portal_url'>) =>
  serve(contract, {
    stayList: ({ scope, input }) => listRows(scope, stays, searched(input)),
    getStay: ({ scope, input }) => oneRow(scope, stays, input.id),
    updateStay: async ({ scope, input }) => {
      const { before, stay, guests } = await updateStay(scope, input)
      if (stay.package_id !== before.package_id) await applyGuests(scope, queue, guests)
      return stay
    },
    slip: async ({ scope, input }) => {
      const slip = await staySlip(scope, input.id, portal_url)
      const sent_to = input.by === 'print' ? null : await sendSlip(scope, queue, slip, input)
      return { title: slip.title, note: slip.note, lines: slip.lines, sent_to }
    },
  })
