// Sealing of codes: the job that seals codes which stand only as they are printed, as nodes of the release before and samples write
// them; and, once no such node is at work, takes them out of vouchers and out of the names of sessions and attempts.
import { sql } from 'kysely'
import { openAttempts } from '#server/access/each-customer.ts'
import { callerOfJob } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'
import type { CodesOfCustomer } from '#server/secrets/voucher-codes.ts'

/** In one transaction. Fewer where the sessions of each are changed, too, which accounting waits for. */
const at_once = { sealed: 1000, forgotten: 100 }

interface Needs {
  tenancy: Tenancy
  codes: CodesOfCustomer
}

/** A customer with millions of codes does not keep the others waiting: each has one transaction in turn. */
export async function sealCodes({ tenancy, codes }: Needs): Promise<void> {
  const { arePlain } = codes(0)
  const customers = await tenancy.callFunction(
    sql<{ customer_id: number }>`select customer_id from door_customers_of_codes(${arePlain})`,
  )
  const { attempt, done } = openAttempts()
  for (let left = customers.map(({ customer_id }) => ({ customer_id, after: 0 })); left.length > 0;) {
    const more: typeof left = []
    for (const { customer_id, after } of left)
      await attempt(customer_id, `customer ${customer_id}`, async () => {
        const caller = callerOfJob(customer_id, 'sealing of codes')
        const last = await tenancy.enter(caller, 'write', (scope) => sealNext(scope, after))
        if (last !== null) more.push({ customer_id, after: last })
      })
    left = more
  }
  done()
}

/** Answers the last voucher that was sealed; null if there are no more. */
async function sealNext(scope: Scope, after: number): Promise<number | null> {
  const { arePlain } = scope.codes
  const rows_max = arePlain ? at_once.sealed : at_once.forgotten
  const isSealed = sql`exists (select from voucher_codes as k where k.customer_id = t.customer_id and k.voucher_id = t.id)`
  const found = await scope.run(sql<{ id: number; code: string }>`
    select t.id, t.code from vouchers as t
    where t.id > ${after} and t.code is not null and ${arePlain ? sql`not ${isSealed}` : sql`true`}
      and ${scope.inReach('vouchers', 't')}
    order by t.id limit ${rows_max}`)
  const ids = found.map(({ id }) => id)
  const sealed = found.map(({ code }) => scope.codes.seal(code))
  if (found.length > 0)
    await scope.run(sql`
      insert into voucher_codes (customer_id, voucher_id, fingerprint, sealed_code, last_four)
      select ${scope.customer_id}, d.* from unnest(${ids}::bigint[], ${sealed.map(({ fingerprint }) => fingerprint)}::bytea[],
        ${sealed.map(({ sealed_code }) => sealed_code)}::bytea[], ${sealed.map(({ last_four }) => last_four)}::text[]) as d
      on conflict do nothing`)
  if (found.length > 0 && !arePlain) await scope.run(sql`select forget_plain_codes(${ids}::bigint[])`)
  return found.length < rows_max ? null : (ids.at(-1) ?? null)
}

export const sealCodesKind = jobKind('seal_codes')
export const sealCodesJob = job({
  kind: sealCodesKind,
  cron: '23 * * * *',
  title: 'Sealing codes of vouchers',
  at_start: true,
  run: (needs: Needs) => sealCodes(needs),
})
