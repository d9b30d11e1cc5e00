// Guest sign-ins: the mails that tell guests how to sign in, for one account or for all that an import has made.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { moment } from '#server/vouchers/slip.ts'
import { guestSignIn, type Mail } from '#server/mail/templates.ts'

interface Guest {
  name: string
  username: string
  email: string
  expires_at: string | null
  place: string
  time_zone: string
}

/**
 * One mail for each of these accounts that has an address and a user name. Their passwords are handed in, because the
 * database has them sealed. `whereAsked` leaves out the properties that do not mail their guests by themselves.
 */
export async function mailsOfSignIns(
  scope: Scope,
  passwords: ReadonlyMap<number, string>,
  { whereAsked }: { whereAsked: boolean },
): Promise<Mail[]> {
  const guests = await scope.run(sql<Guest & { id: number }>`
    select t.id, t.name, t.username, t.email, t.expires_at, p.name as place, coalesce(p.time_zone, c.time_zone) as time_zone
    from accounts as t
    join properties as p on p.customer_id = t.customer_id and p.id = t.property_id
    join customers as c on c.id = t.customer_id
    where t.id = any(${[...passwords.keys()]}) and t.active and not t.draft and t.email is not null and t.username is not null
      and ${whereAsked ? sql`p.send_email` : sql`true`} and ${scope.inReach('accounts', 't')}
    order by t.id`)
  return guests.map((guest) => mailOf(guest, passwords.get(guest.id) ?? ''))
}

export const mailOf = ({ name, email, username, expires_at, place, time_zone }: Guest, password: string): Mail =>
  guestSignIn(
    { name, email },
    { place, username, password, until: expires_at === null ? null : moment(expires_at, time_zone) },
  )
