// Account: a user name and its password, at the property where the guest is.
import { findAccount, isTheirPassword } from '#server/admission/identify.ts'
import { allowed, guardOf, refuse, type Way } from './way.ts'

export const account: Way = {
  chosenBy: 'username',
  shownAgain: ['username'],
  async find(scope, seal, tried) {
    const { username: user_name = '', password = '' } = tried.fields
    if (user_name.trim() === '' || password.trim() === '') return { refused: 'incomplete' }
    const { property_id } = tried.gateway
    const known = await findAccount(scope, property_id, user_name)
    const fits = isTheirPassword(scope, seal, known, { typed: user_name, credentials: { kind: 'password', password } })
    const { waits, guessed_at } = await guardOf(scope, tried, known && { account_id: known.id })
    if (!known)
      return refuse(scope, tried, { identifier: user_name.trim(), reason: waits ? 'too_many_tries' : 'unknown_user' })
    const { username: identifier } = known
    if (waits) return refuse(scope, tried, { identifier, reason: 'too_many_tries', guessed_at, fitted: fits })
    const who = { holder: { kind: 'account', id: known.id }, identifier } as const
    return fits ? allowed(scope, tried, who) : refuse(scope, tried, { ...who, reason: 'wrong_password', guessed_at })
  },
}
