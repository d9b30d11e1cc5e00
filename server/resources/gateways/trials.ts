// Trials: begins one at a property, says how far its guest has got, and takes it away again, with all that it brought about.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Output } from '#contract/endpoint.ts'
import { terminationReason } from '#contract/sessions.ts'
import { deskReasons } from '#contract/sign-in-attempts.ts'
import * as contract from '#contract/trials.ts'
import type { Caller } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { serve, staged } from '#server/api/serve.ts'
import { trialAddress, trialNamed } from '#server/gateways/trial/kind.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'
import { newRadiusSecret } from './gateways.ts'
import type { StoredText } from '#server/secrets/sealed-messages.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'
import type { Services } from '#server/services.ts'
import { isHere } from '#server/start/reachable.ts'

interface Running {
  gateway_id: number | null
  ends_at: string | null
  tried_at: string | null
}
const nothing: Running = { gateway_id: null, ends_at: null, tried_at: null }

async function runningAt(scope: Scope, property_id: number): Promise<Running> {
  const [found] = await scope.run(sql<Running>`
    select case when t.ends_at > now() then t.gateway_id end as gateway_id, t.ends_at, t.tried_at
    from trials as t where t.property_id = ${property_id} and ${scope.inReach('trials', 't')}`)
  return found ?? nothing
}

type Said = Output<typeof contract.trial>
type Seen = Pick<Said, 'steps' | 'attempts' | 'messages' | 'session'> & { key: string | null }

const rows_max = 20
const momentOf = (at: string | null) => (at === null ? null : new Date(at).toISOString())

/** In the scope of the trial. */
async function seenIn(scope: Scope, gateway_id: number): Promise<Seen> {
  const at = sql`t.trial_id = ${gateway_id}`
  const [gateway] = await scope.run(sql<{ key: string; joined_at: string | null; signed_in_at: string | null }>`
    select substr(t.nas_identifier, ${trialNamed('').length + 1}) as key, t.guests_sent_at as joined_at,
      (select max(p.created_at) from access_passes as p where p.customer_id = t.customer_id and p.gateway_id = t.id) as signed_in_at
    from gateways as t where t.id = ${gateway_id} and ${scope.inReach('gateways', 't')}`)
  const attempts = await scope.run(
    sql<{ at: string; identifier: string | null; accepted: boolean; reason: string }>`
      select t.created_at as at, t.identifier, t.accepted, t.reason from radius_authorisations as t
      where ${at} and ${scope.inReach('radius_authorisations', 't')} order by t.id desc limit ${rows_max}`,
  )
  const messages = await scope.run(sql<{ at: string; to: string; table: 'outbox_mails' | 'outbox_texts' } & StoredText>`
    select * from (
      select t.created_at as at, t.recipient_email as to, t.text, t.sealed_text, 'outbox_mails' as table from outbox_mails as t
        where ${at} and ${scope.inReach('outbox_mails', 't')}
      union all
      select t.created_at, t.mobile_number, t.text, t.sealed_text, 'outbox_texts' from outbox_texts as t
        where ${at} and ${scope.inReach('outbox_texts', 't')}) as m
    order by at desc limit ${rows_max}`)
  const [session] = await scope.run(
    sql<Omit<NonNullable<Said['session']>, 'termination_reason'> & { stopped_at: string | null; cause: string | null }>`
      select t.stopped_at is null as online, t.identifier, t.mac_address::text, t.started_at, t.last_seen_at, t.stopped_at,
        t.seconds, t.bytes_up, t.bytes_down, t.termination_cause as cause,
        (select p.name from packages as p where p.customer_id = t.customer_id and p.id = t.package_id) as package
      from radius_sessions as t where ${at} and ${scope.inReach('radius_sessions', 't')} order by t.id desc limit 1`,
  )
  const when: Record<contract.TrialStep['key'], string | null> = {
    joined: gateway?.joined_at ?? null,
    signed_in: gateway?.signed_in_at ?? null,
    let_in: attempts.find(({ accepted }) => accepted)?.at ?? null,
    online: session?.started_at ?? null,
    used: session && session.bytes_down > 0 ? session.last_seen_at : null,
    left: session?.stopped_at ?? null,
  }
  const { stopped_at, cause, ...shown } = session ?? { stopped_at: null, cause: null }
  return {
    key: gateway?.key ?? null,
    steps: Object.entries(when).map(([key, moment]) => ({
      key: key as contract.TrialStep['key'],
      at: momentOf(moment),
    })),
    attempts: attempts.map(({ reason, ...attempt }) => ({
      ...attempt,
      at: new Date(attempt.at).toISOString(),
      message: deskReasons[reason] ?? reason,
    })),
    messages: messages.map(({ at: written_at, to, table, ...stored }) => ({
      at: new Date(written_at).toISOString(),
      to,
      text: scope.messages.open(table, to, stored),
    })),
    session: session
      ? {
          ...(shown as Omit<NonNullable<Said['session']>, 'termination_reason'>),
          started_at: new Date(session.started_at).toISOString(),
          last_seen_at: new Date(session.last_seen_at).toISOString(),
          termination_reason: stopped_at === null ? null : terminationReason(cause ?? ''),
        }
      : null,
  }
}

const unseen: Seen = { key: null, steps: [], attempts: [], messages: [], session: null }

async function said(
  { tenancy, portal_url }: Pick<Services, 'tenancy' | 'portal_url'>,
  caller: Caller,
  property_id: number,
): Promise<Said> {
  const running = await tenancy.enter(caller, 'read', (scope) => runningAt(scope, property_id))
  const { gateway_id, ends_at, tried_at } = running
  const { key, ...seen } =
    gateway_id === null
      ? unseen
      : await tenancy.enter({ ...caller, trial_id: gateway_id }, 'read', (scope) => seenIn(scope, gateway_id))
  return {
    ...seen,
    url: key === null ? null : trialAddress(portal_url, key),
    for_phones: !isHere(new URL(portal_url).hostname),
    ends_at: key === null ? null : momentOf(ends_at),
    tried_at: momentOf(tried_at),
  }
}

export default (services: Pick<Services, 'seal' | 'tenancy' | 'portal_url'>) => {
  const { seal, portal_url } = services
  return serve(contract, {
    trial: staged(
      ({ caller, input }) => said(services, caller, input.property_id),
      ({ prepared }) => Promise.resolve(prepared),
    ),
    startTrial: async ({ scope, input: { property_id } }) => {
      const key = randomBytes(16).toString('base64url')
      const url = trialAddress(portal_url, key)
      const page = url.slice(url.indexOf('//') + 2)
      const [made] = await scope.run(sql<{ id: number }>`
        select start_trial(${property_id}, ${trialNamed(key)}, ${page}, now() + make_interval(secs => ${contract.trial_s})) as id`)
      if (!made) throw new Error('a trial was not begun')
      await scope.insert('gateway_secrets', {
        gateway_id: made.id,
        sealed_radius_secret: seal.close(
          newRadiusSecret(),
          placeIn('gateway_secrets.sealed_radius_secret', scope, made.id),
        ),
        radius_secret_made_at: sql`now()`,
      })
      return { url }
    },
    endTrial: async ({ scope, input: { property_id } }) => {
      const { gateway_id } = await runningAt(scope, property_id)
      if (gateway_id !== null) await scope.run(sql`select stop_trial(${gateway_id})`)
      return { property_id }
    },
  })
}

/** Takes those away whose hour is over. */
export const endTrialsJob = job({
  kind: jobKind('end_trials'),
  cron: '* * * * *',
  title: 'Ending trials',
  run: async ({ tenancy }: { tenancy: Tenancy }) => {
    await tenancy.callFunction(sql`select door_end_trials()`)
  },
})
