// Undelivered: what could not be delivered is recorded, so that a person can deal with it, until the same is sent again.
import { sql } from 'kysely'
import type { MessageKind, UndeliveredReason } from '#contract/undelivered.ts'
import type { Scope } from '#server/access/tenancy.ts'

/** What kind a message is, and which record it is about. */
export interface Sort {
  kind: MessageKind
  about_id?: number | null
}

/** A message that could not be delivered. */
export interface Note extends Required<Sort> {
  mail_id?: number
  text_id?: number
  recipient: string
  recipient_name: string | null
  written_at: Date
}

export const note = (scope: Scope, given: Note, how: { why: UndeliveredReason; attempts: number }) =>
  scope.insert('undelivered', { ...given, ...how })

/** Messages to the person whom the record is about; for other kinds each recipient gets their own. */
const of_one_person = ['invitation', 'guest_sign_in'] satisfies MessageKind[]

/**
 * A message that is sent again is no longer undelivered. The sender need not see the list: a property's editor may send a guest's
 * sign-in again.
 */
export async function clearUndelivered(
  scope: Scope,
  written: readonly (Sort & { recipient: string })[],
): Promise<void> {
  const again = written.flatMap(({ kind, about_id, recipient }) =>
    about_id == null ? [] : [{ kind, about_id, recipient }],
  )
  if (again.length === 0) return
  await scope.run(sql`
    delete from undelivered as t using json_to_recordset(${JSON.stringify(again)}) as w(kind text, about_id integer, recipient text)
    where t.customer_id = ${scope.customer_id} and t.deleted_at is null and t.about_id = w.about_id and t.kind = w.kind
      and (t.kind = any(${of_one_person}) or t.kind <> 'report' and t.recipient = w.recipient)`)
}

/** Whether such a message about the record `t` could not be delivered; everyone who sees the record may know. */
export const isUndelivered = (kind: MessageKind) => sql<boolean>`
  exists (select from undelivered as u where u.customer_id = t.customer_id and u.about_id = t.id and u.kind = ${sql.lit(kind)}
    and u.deleted_at is null)`
