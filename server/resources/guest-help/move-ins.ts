// Guest help move-ins: tells residents who have just moved in, as their property's system says, how to sign in: by mail, and by text
// message where the property sends those.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { howToSignIn, type Mail } from '#server/deliveries/mail-templates.ts'
import { queueMails } from '#server/deliveries/mails.ts'
import { phoneNumber } from '#server/deliveries/phone-number.ts'
import { howToSignInText } from '#server/deliveries/text-templates.ts'
import type { TextMessage } from '#server/deliveries/texter.ts'
import { postTexts, writeTexts } from '#server/deliveries/texts.ts'
import type { TellMoveIns } from '#server/property-systems/polling.ts'
import { cameWithin, isStaying } from '#server/stays/in-house.ts'
import { guestRecordOf } from './guest-record.ts'
import { instructionsOf } from './instructions.ts'

/** In the transaction in which they came. Who has neither address nor number is not told, nor who moved in long ago and is heard of now. */
export const tellMoveIns: TellMoveIns = async (scope, { queue, portal_url }, ids) => {
  if (ids.length === 0) return
  const letters: Mail[] = []
  const texts: TextMessage[] = []
  for (const { id, email, mobile_number, country } of await newcomers(scope, ids)) {
    const known = await guestRecordOf(scope, { kind: 'stay', id, property_id: null })
    const tell = await instructionsOf(scope, known, portal_url)
    if (tell === null || known.property === null) continue
    const there = { ...tell, place: known.property.name }
    if (email !== null) {
      const mail = howToSignIn({ name: known.name, email }, there)
      letters.push({ ...mail, property_id: known.property.id, message_key: `move-in of ${id}` })
    }
    const number = mobile_number === null ? null : phoneNumber(mobile_number, country)
    if (number !== null) texts.push({ kind: 'how_to_sign_in', mobile_number: number, text: howToSignInText(there) })
  }
  await queueMails(scope, queue, letters)
  await postTexts(scope, queue, await writeTexts(scope, texts))
}

const lately_days = 14

interface Newcomer {
  id: number
  email: string | null
  /** Null also where the property sends no text messages: each costs money. */
  mobile_number: string | null
  country: string | null
}
const newcomers = (scope: Scope, ids: readonly number[]) => {
  const today = sql`local_day(app_now(), p.time_zone)`
  return scope.run(sql<Newcomer>`
    select t.id, case when t.email like '%_@_%' then t.email end as email,
      case when p.send_sms then t.mobile_number end as mobile_number, l.code as country
    from room_guests as t join properties as p on p.customer_id = t.customer_id and p.id = t.property_id
    join customers as c on c.id = t.customer_id
    left join countries as l on l.id = coalesce(p.country_id, c.country_id)
    where t.id = any(${[...ids]}) and t.last_name is not null and ${isStaying('t', today)}
      and ${cameWithin(lately_days, 't', today)} and ${scope.inReach('room_guests', 't')}
    order by t.id`)
}
