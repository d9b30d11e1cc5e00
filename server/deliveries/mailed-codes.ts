// Mailed codes: a mail that waits, or was sent, names vouchers where codes do not stand as they are printed; they are put in as it leaves.
import { sql } from 'kysely'
import { shown } from '#contract/vouchers.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { StoredCode } from '#server/secrets/voucher-codes.ts'
import { joinCode, storedCode } from '#server/secrets/stored-code.ts'

/** A line of the text. Nobody else's words stand on a line of their own there. */
export const mailedCode = ({ codes }: Scope, { id, ...voucher }: StoredCode & { id: number }): string =>
  codes.arePlain ? shown(codes.open(voucher)) : `{code ${id}}`
const named = /^\{code (\d+)\}$/gm

interface Written {
  kind: string
  /** The batch. */
  about_id?: number | null
  text: string
}

/** In place of a code that nobody can be given any more when the mail leaves. */
const gone = { redeemed: 'Used by now', taken_back: 'Taken back' }

export async function withMailedCodes<M extends Written>(scope: Scope, mail: M): Promise<M> {
  const ids = mail.kind === 'voucher_codes' ? [...mail.text.matchAll(named)].map(([, id]) => Number(id)) : []
  if (ids.length === 0) return mail
  const found = await scope.run(sql<StoredCode & { id: number; state: keyof typeof gone | null }>`
    select t.id, ${storedCode('t')},
      case when t.taken_back_at is not null then 'taken_back' when t.redeemed_at is not null then 'redeemed' end as state
    from vouchers as t ${joinCode('t')}
    where t.id = any(${ids}::bigint[]) and t.voucher_batch_id = ${mail.about_id} and ${scope.inReach('vouchers', 't')}`)
  const codes = new Map(
    found.map(({ id, state, ...voucher }) => [id, state ? gone[state] : shown(scope.codes.open(voucher))]),
  )
  return { ...mail, text: mail.text.replaceAll(named, (line, id) => codes.get(Number(id)) ?? line) }
}
