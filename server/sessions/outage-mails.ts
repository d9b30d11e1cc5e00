// Outage mails: who wants it is told once when guests of a property cannot get online, and once when they can again, by mail, by text
// message or by both, each with all that was found together. In a person's quiet hours nothing is sent; what is over by then is told to
// nobody.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { outageBegan, outageOver } from '#server/deliveries/mail-templates.ts'
import { queueMails } from '#server/deliveries/mails.ts'
import { outageBeganText, outageOverText } from '#server/deliveries/text-templates.ts'
import { postTexts, writeTexts } from '#server/deliveries/texts.ts'
import type { Queue } from '#server/jobs/queue.ts'

interface Telling {
  queue: Queue
  public_url: string
}
interface Told {
  user_id: number
  name: string
  email: string
  by_mail: boolean
  text_to: string | null
  context: string
  property: string
  sentence: string
  since: string
  until: string | null
  time_zone: string
}

/** Those who want to be told, now. Reach is the present one. */
const wants = sql`(u.outage_mails or u.outage_texts) and u.active and not u.draft and u.deleted_at is null and u.package_id is null
  and (u.property_id = p.id or u.group_id = p.group_id or u.property_id is null and u.group_id is null)
  and case when u.quiet_from is null or u.quiet_until is null then true
    when u.quiet_from <= u.quiet_until then not (clock.now >= u.quiet_from and clock.now < u.quiet_until)
    else clock.now < u.quiet_from and clock.now >= u.quiet_until end`
const place = sql`
  join properties as p on p.customer_id = o.customer_id and p.id = o.property_id and p.deleted_at is null
  join customers as c on c.id = o.customer_id
  cross join lateral (select (app_now() at time zone c.time_zone)::time as now) as clock`
const told = sql`u.id as user_id, u.name, u.email, u.outage_mails as by_mail,
  case when u.outage_texts then u.mobile_number end as text_to, p.name as property, p.time_zone,
  case when u.property_id is not null then 'property'
  when u.group_id is not null then 'group' else 'customer' end as context`

/** Of a job's scope. */
export async function tellOutages(scope: Scope, { queue, public_url }: Telling): Promise<void> {
  await scope.run(sql`select note_outages(${scope.customer_id})`)
  const began = await scope.run(sql<Told>`
    with told as (
      insert into outage_notices (customer_id, outage_id, user_id)
      select o.customer_id, o.id, u.id from outages as o ${place} join users as u on u.customer_id = o.customer_id and ${wants}
      where o.ended_at is null and o.calm_since is null and ${scope.inReach('outages', 'o')} order by o.id, u.id
      on conflict on constraint outage_notices_once do nothing returning outage_id, user_id)
    select ${told}, s.sentence, s.since, null as until from told as n
    join outages as o on o.customer_id = ${scope.customer_id} and o.id = n.outage_id ${place}
    join users as u on u.customer_id = o.customer_id and u.id = n.user_id
    join property_states as s on s.customer_id = o.customer_id and s.property_id = o.property_id
    order by s.suffering desc, p.name`)
  const over = await scope.run(sql<Told>`
    with told as (
      update outage_notices as n set over_told_at = now() from outages as o ${place} join users as u on u.customer_id = o.customer_id
      where n.customer_id = o.customer_id and n.outage_id = o.id and n.user_id = u.id and n.over_told_at is null
        and o.ended_at is not null and ${wants} and ${scope.inReach('outages', 'o')} returning n.outage_id, n.user_id)
    select ${told}, '' as sentence, o.began_at as since, o.ended_at as until from told as n
    join outages as o on o.customer_id = ${scope.customer_id} and o.id = n.outage_id ${place}
    join users as u on u.customer_id = o.customer_id and u.id = n.user_id order by p.name`)
  const mails = [
    ...perPerson(began, byMail).map((all) => outageBegan(all[0], all, linkOf(public_url, all[0]))),
    ...perPerson(over, byMail).map((all) => outageOver(all[0], all, linkOf(public_url, all[0]))),
  ]
  if (mails.length > 0) await queueMails(scope, queue, mails)
  const texts = [
    ...perPerson(began, byText).map((all) => textTo(all, outageBeganText(placesOf(all), linkOf(public_url, all[0])))),
    ...perPerson(over, byText).map((all) => textTo(all, outageOverText(placesOf(all)))),
  ]
  await postTexts(scope, queue, await writeTexts(scope, texts))
}

/** Later it is no news. */
const text_good_for_s = 2 * 3600

const byMail = ({ by_mail }: Told) => by_mail
const byText = ({ text_to }: Told) => text_to !== null
const placesOf = (all: Some) => all.map(({ property }) => property)
const textTo = ([{ text_to }]: Some, text: string) => ({
  kind: 'other' as const,
  mobile_number: text_to ?? '',
  text,
  good_for_s: text_good_for_s,
})

type Some = [Told, ...Told[]]
const perPerson = (rows: Told[], wanted: (one: Told) => boolean) =>
  [...Map.groupBy(rows.filter(wanted), ({ user_id }) => user_id).values()] as Some[]
const linkOf = (public_url: string, { context }: Told) => `${public_url}/${context}/dashboard`
