// Quotas: what a customer may do in a day, counted in PostgreSQL for all nodes together, in the transaction of what is
// counted: what is rolled back costs nothing. A day is in the customer's time zone, so that people can be told when it ends.
import { sql } from 'kysely'
import { tooMany } from '#server/errors/refused.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'
import type { Quotas } from '#server/start/config.ts'

type Quota = keyof Quotas

const megabyte = 1_000_000
const number = (value: number) => value.toLocaleString('en')
const megabytes = (value: number) => `${number(Math.floor((value / megabyte) * 10) / 10)} MB`
const countOf = (one: string) => (value: number) => `${number(value)} ${one}${value === 1 ? '' : 's'}`
const wording: Record<Quota, { verb: string; amount: (value: number) => string; whole: (value: number) => string }> = {
  codes: { verb: 'make', amount: number, whole: countOf('voucher code') },
  invitations: { verb: 'send', amount: number, whole: countOf('invitation') },
  mails: { verb: 'send', amount: number, whole: countOf('mail') },
  texts: { verb: 'send', amount: number, whole: countOf('text message') },
  uploaded_bytes: { verb: 'upload', amount: megabytes, whole: (value) => `${megabytes(value)} of files` },
  exports: { verb: 'download', amount: number, whole: countOf('file') },
}

/** Something counted in a row of `used_quotas`: until the customer's midnight, or for an hour from its first use. */
export interface Count {
  quota: string
  amount: number
  daily: boolean
}
export interface Counted {
  /** Including what has just been counted. */
  used: number
  /** Until counting restarts. */
  wait_s: number
}

/**
 * Counts all of them in one statement; returns the counts by `quota`, which must not be repeated. The rows stay locked until
 * the transaction ends: count late, and always in the same order where several are counted.
 */
export async function countAll(scope: Scope, counts: readonly Count[]): Promise<Map<string, Counted>> {
  const rows = await scope.run(sql<Counted & { quota: string }>`
    insert into used_quotas as q (quota, used, until)
    select v.quota, v.amount, case when v.daily
      then day_begins(local_day(app_now(), c.time_zone) + 1, c.time_zone)
      else app_now() + interval '1 hour' end
    from customers as c, unnest(${counts.map(({ quota }) => quota)}::text[], ${counts.map(({ amount }) => amount)}::bigint[],
      ${counts.map(({ daily }) => daily)}::boolean[]) with ordinality as v(quota, amount, daily, place)
    where c.id = ${scope.customer_id} order by v.place
    on conflict (customer_id, quota) do update set
      used = case when q.until > app_now() then q.used else 0 end + excluded.used,
      until = case when q.until > app_now() then q.until else excluded.until end
    returning quota, used, greatest(1, ceil(extract(epoch from until - app_now())))::integer as wait_s`)
  return new Map(rows.map(({ quota, ...counted }) => [quota, counted]))
}

/** Counts `amount` against the customer's quota of today; refuses if that exceeds it. */
export async function spendQuota(scope: Scope, quota: Quota, amount: number): Promise<void> {
  if (amount <= 0) return
  const counted = await countAll(scope, [{ quota, amount, daily: true }])
  await refuseOver(scope, quota, amount, counted.get(quota))
}

/** Refuses if what has been counted exceeds the customer's quota of today. */
export async function refuseOver(scope: Scope, quota: Quota, amount: number, counted: Counted | undefined) {
  const limit = scope.quotas[quota]
  if (!counted || counted.used <= limit) return
  const [zone] = await scope.run(sql<{ name: string }>`
    select time_zone as name from customers where id = ${scope.customer_id}`)
  const left = Math.max(0, limit - counted.used + amount)
  throw usedUp(quota, limit, left, counted.wait_s, zone?.name ?? 'UTC')
}

/** Refuses if nothing is left today; counts nothing: before work that is counted when it is done. */
export async function refuseUsedUp(scope: Scope, quota: Quota): Promise<void> {
  const limit = scope.quotas[quota]
  const [full] = await scope.run(sql<{ wait_s: number; zone: string }>`
    select greatest(1, ceil(extract(epoch from q.until - app_now())))::integer as wait_s, c.time_zone as zone
    from used_quotas as q join customers as c on c.id = q.customer_id
    where q.quota = ${quota} and q.used >= ${limit}::double precision and q.until > app_now() and ${scope.inReach('used_quotas', 'q')}`)
  if (full) throw usedUp(quota, limit, 0, full.wait_s, full.zone)
}

function usedUp(quota: Quota, limit: number, left: number, retry_after_s: number, zone: string) {
  const { verb, amount, whole } = wording[quota]
  const today = left === 0 ? 'Nothing is left today' : `Today ${amount(left)} ${left === 1 ? 'is' : 'are'} left`
  const next = `the next are possible at midnight (${zone}), in ${roughDuration(retry_after_s)}`
  return tooMany(retry_after_s, `Your company can ${verb} ${whole(limit)} a day. ${today}; ${next}.`)
}

/** `5 hours`, `12 minutes`: as precise as a person needs, and rounded up. */
export function roughDuration(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return minutes < 100 ? countOf('minute')(minutes) : countOf('hour')(Math.ceil(minutes / 60))
}

/** Deletes the counts of past days and hours. */
export const forgetQuotasJob = job({
  kind: jobKind('forget_quotas'),
  cron: '*/15 * * * *',
  title: 'Forgetting used quotas',
  run: async ({ tenancy }: { tenancy: Tenancy }) => {
    await tenancy.callFunction(sql`select door_forget_quotas()`)
  },
})
