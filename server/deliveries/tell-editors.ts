// Tell editors: a mail to a customer's editors, and to whoever did it, that somebody has given away reach or data. Whoever took over a
// session cannot keep it back: it asks nobody's right when it goes, and counts to nobody's mails.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { givenAway } from '#server/deliveries/mail-templates.ts'
import { queueNotice } from '#server/deliveries/mails.ts'
import { userIdOf } from '#server/access/principal.ts'
import type { Queue } from '#server/jobs/queue.ts'

export interface Telling {
  queue: Queue
  public_url: string
}

/** `told`: the user who is told by a mail of their own. */
export async function tellEditors(
  scope: Scope,
  { queue, public_url }: Telling,
  what: string,
  { told = 0 } = {},
): Promise<void> {
  const { asked: _asked, ...product } = scope
  const people = await scope.run(sql<{ name: string; email: string; company: string; context: string }>`
    select u.name, u.email, c.name as company, case when u.property_id is not null then 'property'
      when u.group_id is not null then 'group' else 'customer' end as context
    from users as u join user_types as y on y.id = u.user_type_id join customers as c on c.id = u.customer_id
    where u.customer_id = ${scope.customer_id} and u.deleted_at is null and u.active and not u.draft and u.package_id is null
      and u.id <> ${told}
      and (u.id = ${userIdOf(scope)}::integer or (y.role = 'editor' and u.group_id is null and u.property_id is null))
    order by u.id`)
  const by = { name: scope.principal.name, email: scope.principal.email, ip: scope.ip, at: new Date() }
  for (const { name, email, company, context } of people) {
    const link = `${public_url}/${context}/user-profile?context=activity`
    await queueNotice(product, queue, givenAway({ name, email }, { what, by, company, link }))
  }
}
