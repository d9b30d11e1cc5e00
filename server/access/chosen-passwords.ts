// Chosen passwords: what nobody may choose for their own sign-in.
import { isCommon } from './common-passwords.ts'
import { isNear } from './near-words.ts'
import { invalid } from '#server/errors/refused.ts'

/** What is known about the person who chooses a password, from one of their customers. */
export interface PasswordOwner {
  name: string
  email: string
  customer_name?: string
  owner_name?: string
}

/** @throws 422 under `password`, where it is easy to guess. */
export function refuseGuessable(password: string, owners: readonly PasswordOwner[]): void {
  if (isCommon(password)) throw invalid({ password: ['This password is too common. Please choose another one.'] })
  const names = owners.flatMap(({ name, email, customer_name = '', owner_name = '' }) => [
    name,
    email,
    customer_name,
    owner_name,
  ])
  if (isNear(password, names))
    throw invalid({
      password: ['This password is little more than names that others know. Please add a few words.'],
    })
}
