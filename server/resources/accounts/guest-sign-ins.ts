// Guest sign-ins: mails and text messages that tell guests how to sign in, for one account or for all that an import has created.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { slipMoment } from '#server/vouchers/slip.ts'
import { guestSignIn, type Mail } from '#server/deliveries/mail-templates.ts'
import { phoneNumber } from '#server/deliveries/phone-number.ts'
import { guestSignInText } from '#server/deliveries/text-templates.ts'
import type { TextMessage } from '#server/deliveries/texter.ts'

interface Guest {
  name: string
  username: string
  expires_at: string | null
  place: string
  time_zone: string
}
interface Mailed extends Guest {
  id: number
  email: string
}
interface Texted extends Guest {
  id: number
  mobile_number: string
  /** The country of a number that is written without one. */
  country: string | null
}

interface Sought {
  /** By account id; passed in because the database has them sealed. */
  passwords: ReadonlyMap<number, string>
  /** Leaves out properties that do not write to their guests automatically. */
  onlyWhereWanted: boolean
}

/** Those of the accounts that can sign in, have an address or number, and whose property wants such messages. */
const guestsOf = <G extends Guest>(
  scope: Scope,
  { passwords, onlyWhereWanted }: Sought,
  { reachedBy, wanted }: { reachedBy: 'email' | 'mobile_number'; wanted: 'send_email' | 'send_sms' },
) =>
  scope.run(sql<G & { id: number }>`
    select t.id, t.name, t.username, t.email, t.mobile_number, t.expires_at, p.name as place,
      coalesce(p.time_zone, c.time_zone) as time_zone, l.code as country
    from accounts as t
    join properties as p on p.customer_id = t.customer_id and p.id = t.property_id
    join customers as c on c.id = t.customer_id
    left join countries as l on l.id = coalesce(p.country_id, c.country_id)
    where t.id = any(${[...passwords.keys()]}) and t.active and not t.draft and t.username is not null
      and ${sql.ref(`t.${reachedBy}`)} is not null and ${onlyWhereWanted ? sql.ref(`p.${wanted}`) : sql`true`}
      and ${scope.inReach('accounts', 't')}
    order by t.id`)

export async function mailsOfSignIns(scope: Scope, sought: Sought): Promise<Mail[]> {
  const guests = await guestsOf<Mailed>(scope, sought, { reachedBy: 'email', wanted: 'send_email' })
  return guests.map((guest) => mailOf(guest, sought.passwords.get(guest.id) ?? ''))
}

/** `unreachable`: accounts whose number is not a valid one. */
export async function textsOfSignIns(
  scope: Scope,
  sought: Sought,
): Promise<{ texts: TextMessage[]; unreachable: number[] }> {
  const guests = await guestsOf<Texted>(scope, sought, { reachedBy: 'mobile_number', wanted: 'send_sms' })
  const read = guests.map((guest) => ({ guest, number: phoneNumber(guest.mobile_number, guest.country) }))
  return {
    texts: read.flatMap(({ guest, number }) =>
      number === null ? [] : [signInText(guest, number, sought.passwords.get(guest.id) ?? '')],
    ),
    unreachable: read.flatMap(({ guest, number }) => (number === null ? [guest.id] : [])),
  }
}

const untilOf = ({ expires_at, time_zone }: Guest) => (expires_at === null ? null : slipMoment(expires_at, time_zone))

export const mailOf = (guest: Mailed, password: string): Mail =>
  guestSignIn(guest, { ...guest, password, until: untilOf(guest) })

const signInText = (guest: Texted, mobile_number: string, password: string): TextMessage => ({
  kind: 'guest_sign_in',
  about_id: guest.id,
  mobile_number,
  text: guestSignInText({ ...guest, password, until: untilOf(guest) }),
})
