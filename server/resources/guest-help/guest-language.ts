// Guest language: in which a guest is written to: that of the portal as they saw it last, else that of whoever writes.
import { sql } from 'kysely'
import { isLanguage, type Language } from '#contract/languages.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Sql } from '#server/entities/entity.ts'
import type { GuestRecord } from './guest-record.ts'

/** One that only the portal speaks is written to in English. */
async function languageWhere(scope: Scope, whose: Sql): Promise<Language | undefined> {
  const [seen] = await scope.run(sql<{ language: string }>`
    select t.language from guests as t where ${whose} and t.language is not null and ${scope.inReach('guests', 't')}
    order by t.last_seen_at desc nulls last, t.id desc limit 1`)
  if (!seen) return scope.language
  return isLanguage(seen.language) ? seen.language : 'en'
}

export function languageOfGuest(scope: Scope, { holder, stay }: GuestRecord): Promise<Language | undefined> {
  if (stay !== null) return languageWhere(scope, sql`t.room_guest_id = ${stay.id}`)
  return holder?.kind === 'guest' ? languageWhere(scope, sql`t.id = ${holder.id}`) : Promise.resolve(scope.language)
}

/** Of those who stay there, whoever saw the portal last. */
export const languageOfStay = (scope: Scope, stay_id: number): Promise<Language | undefined> =>
  languageWhere(
    scope,
    sql`t.room_guest_id in (select g.id from room_guests as g where g.customer_id = t.customer_id and g.stay_id = ${stay_id})`,
  )
