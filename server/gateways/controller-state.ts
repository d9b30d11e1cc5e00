// Controller state: what was last heard of the controller of a gateway, and the work of asking it what it has counted.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { dueKind, queueDue } from '#server/due/due-work.ts'
import type { Queue } from '#server/jobs/queue.ts'
import type { Trouble } from './controller.ts'

export const countKind = dueKind('controller_count')
export const controllerLane = (gateway_id: number) => `controller ${gateway_id}`

/** How long letting in takes where all is well: boxes that fetch their guests ask every few seconds. */
export const prompt_s = 30

/** How often a controller is asked what its guests use, and when it is first, after one of them has got online. */
export const counted_every_s = 60
const first_after_s = 15

/** Asks it at once: it has just been registered, or otherwise. */
export const tryController = (scope: Scope, queue: Pick<Queue, 'send'>, gateway_id: number) =>
  queueDue(scope, queue, countKind, [{ about_id: gateway_id, lane: controllerLane(gateway_id) }])

/** Asks it soon, unless it is asked anyway. The caller has locked the gateway's row, and so does whoever ends the asking. */
export async function queueCount(scope: Scope, queue: Pick<Queue, 'send'>, gateway_id: number): Promise<void> {
  const queued = await scope.run(sql`
    select from due_work as t where t.customer_id = ${scope.customer_id} and t.kind = ${countKind.name} and t.about_id = ${gateway_id}
      and t.state in ('waiting', 'trying') limit 1`)
  if (queued.length === 0)
    await queueDue(scope, queue, countKind, [
      { about_id: gateway_id, after_s: first_after_s, lane: controllerLane(gateway_id) },
    ])
}

export async function noteAnswer(scope: Scope, gateway_id: number): Promise<void> {
  const noted = await scope.run(sql`
    insert into gateway_controllers as t (customer_id, gateway_id, answered_at) values (${scope.customer_id}, ${gateway_id}, now())
    on conflict (customer_id, gateway_id) do update set answered_at = now(), problem = null, problem_at = null,
      shown_fingerprint = null
    where t.problem is not null or t.answered_at is null or t.answered_at < now() - interval '20 seconds' returning t.id`)
  if (noted.length === 0) return
  // A gateway that is called is heard of when it answers.
  const quiet = sql<boolean>`(t.id = ${gateway_id} and coalesce(t.last_seen_at < now() - interval '20 seconds', true))`
  await scope.change('gateways', quiet, { last_seen_at: sql`now()` })
}

/** Boxes that fetch their guests are known by the names that their redirects have had last, each at one of the customer's gateways. */
const names_max = 4
export async function keepName(scope: Scope, gateway_id: number, name: string): Promise<void> {
  const isNew = await scope.run(sql`
    insert into gateway_controllers as t (customer_id, gateway_id, polls_as)
    values (${scope.customer_id}, ${gateway_id}, array[${name}::text])
    on conflict (customer_id, gateway_id) do update
      set polls_as = (array_prepend(${name}::text, array_remove(t.polls_as, ${name}::text)))[1:${sql.raw(String(names_max))}]
    where t.polls_as[1] is distinct from ${name}::text returning t.id`)
  if (isNew.length === 0) return
  await scope.run(sql`
    update gateway_controllers as t set polls_as = array_remove(t.polls_as, ${name}::text)
    where t.customer_id = ${scope.customer_id} and t.gateway_id <> ${gateway_id} and ${name} = any(t.polls_as)`)
}

export async function noteTrouble(scope: Scope, gateway_id: number, { message, how }: Trouble): Promise<void> {
  const shown = how.fingerprint ?? null
  await scope.run(sql`
    insert into gateway_controllers as t (customer_id, gateway_id, problem, problem_at, shown_fingerprint)
    values (${scope.customer_id}, ${gateway_id}, ${message}, now(), ${shown})
    on conflict (customer_id, gateway_id) do update set problem = excluded.problem,
      problem_at = case when t.problem is null then now() else t.problem_at end, shown_fingerprint = excluded.shown_fingerprint`)
}
