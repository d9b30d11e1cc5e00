// Guest help move-ins: tells residents who have just moved in, as their property's system says, how to sign in, by mail.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { howToSignIn, type Mail } from '#server/deliveries/mail-templates.ts'
import { queueMails } from '#server/deliveries/mails.ts'
import type { TellMoveIns } from '#server/property-systems/asking.ts'
import { cameWithin, isStaying } from '#server/stays/in-house.ts'
import { guestRecordOf } from './guest-record.ts'
import { instructionsOf } from './instructions.ts'

/** In the transaction in which they came. Who has no address is not told, nor who moved in long ago and is heard of only now. */
export const tellMoveIns: TellMoveIns = async (scope, { queue, portal_url }, ids) => {
  if (ids.length === 0) return
  const letters: Mail[] = []
  for (const { id, email } of await newcomers(scope, ids)) {
    const known = await guestRecordOf(scope, { kind: 'stay', id, property_id: null })
    const tell = await instructionsOf(scope, known, portal_url)
    if (tell === null || known.property === null) continue
    const mail = howToSignIn({ name: known.name, email }, { ...tell, place: known.property.name })
    letters.push({ ...mail, property_id: known.property.id, message_key: `move-in of ${id}` })
  }
  await queueMails(scope, queue, letters)
}

const lately_days = 14

const newcomers = (scope: Scope, ids: readonly number[]) => {
  const today = sql`local_day(app_now(), p.time_zone)`
  return scope.run(sql<{ id: number; email: string }>`
    select t.id, t.email from room_guests as t join properties as p on p.customer_id = t.customer_id and p.id = t.property_id
    where t.id = any(${[...ids]}) and t.email like '%_@_%' and t.last_name is not null and ${isStaying('t', today)}
      and ${cameWithin(lately_days, 't', today)} and ${scope.inReach('room_guests', 't')}
    order by t.id`)
}
