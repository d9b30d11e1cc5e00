// Conference code: the user name of a conference's account. Everybody who knows it is let in: a password of the account is only
// for those who sign in with a user name and a password.
import { findAccount, isConference } from '#server/admission/identify.ts'
import { allowed, guardOf, refuse, type Way } from './way.ts'

export const conference: Way = {
  chosenBy: 'conference_code',
  shownAgain: ['conference_code'],
  async find(scope, _seal, tried) {
    const user_name = (tried.fields['conference_code'] ?? '').trim()
    if (user_name === '') return { refused: 'incomplete' }
    const { property_id } = tried.gateway
    const known = await findAccount(scope, property_id, user_name)
    const { waits } = await guardOf(scope, tried, null)
    if (waits) return refuse(scope, tried, { identifier: user_name, reason: 'too_many_tries' })
    if (!known || !isConference(known)) return refuse(scope, tried, { identifier: user_name, reason: 'unknown_user' })
    return allowed(scope, tried, { holder: { kind: 'account', id: known.id }, identifier: known.username })
  },
}
