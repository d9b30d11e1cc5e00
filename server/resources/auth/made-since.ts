// Made since: what a login's users have made since a moment, as the log knows it and as far as it is still there; and ending it with a
// change of the password, each within the present rights of the user who reaches it.
import { sql, type RawBuilder } from 'kysely'
import * as accounting from '#contract/accounting-integrations.ts'
import * as apiKeys from '#contract/api-keys.ts'
import type { Endpoint, Output } from '#contract/endpoint.ts'
import { selectedIdsInvalid } from '#contract/errors.ts'
import * as connections from '#contract/connections.ts'
import * as gateways from '#contract/gateways.ts'
import * as contract from '#contract/made-since.ts'
import { madeKinds, type Endings, type MadeKind } from '#contract/made-since.ts'
import * as marketing from '#contract/marketing-integrations.ts'
import type { Area } from '#contract/permissions.ts'
import * as interfaces from '#contract/property-interfaces.ts'
import * as scheduledReports from '#contract/scheduled-reports.ts'
import * as users from '#contract/users.ts'
import * as webhooks from '#contract/webhooks.ts'
import { callerOf, hashOf, signedIn, type LoginUser } from '#server/access/authenticate.ts'
import { deviceIn } from '#server/access/device.ts'
import { may } from '#server/access/policies.ts'
import type { Caller } from '#server/access/principal.ts'
import type { TenantTable } from '#server/access/reach.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serveUnscoped } from '#server/api/serve.ts'
import { invalid } from '#server/errors/refused.ts'
import { removeKey } from '#server/resources/api-keys/api-keys.ts'
import { endAccounting } from '#server/resources/integrations/accounting-integrations.ts'
import { endConnection } from '#server/resources/connections/connections.ts'
import { disableGateway } from '#server/resources/gateways/gateways.ts'
import { endMarketing } from '#server/resources/integrations/marketing-integrations.ts'
import { disableInterface } from '#server/resources/property-interfaces/property-interfaces.ts'
import { disableSchedule } from '#server/resources/reports/scheduled-reports.ts'
import { disableUser } from '#server/resources/users/users.ts'
import { disableWebhook } from '#server/resources/webhooks/webhooks.ts'
import type { Services } from '#server/services.ts'
import type { z } from 'zod'

type Condition = RawBuilder<boolean>

/** What ending takes. */
export type EndingServices = Pick<
  Services,
  'clients' | 'integrations' | 'public_url' | 'safeFetch' | 'seal' | 'tenancy'
>

interface Sort {
  kind: MadeKind
  table: TenantTable
  /** What it is known by here; absent: its own id. */
  id?: RawBuilder<number>
  name: RawBuilder<string>
  /** Lines of the log, called `a`, by which it was made. */
  by: Condition
  /** What the row, called `t`, is while there is something to end. */
  while: Condition
  /** The call that ends it, too. */
  call: Endpoint
  end: (services: EndingServices, caller: Caller, id: number) => Promise<unknown>
}

const within =
  (end: (scope: Scope, id: number) => Promise<unknown>): Sort['end'] =>
  ({ tenancy }, caller, id) =>
    tenancy.enter(caller, 'write', (scope) => end(scope, id))

const live = sql<boolean>`t.deleted_at is null`
const connected = sql<boolean>`a.action in ('create', 'integration')`
/** Of the kinds that have a table each, whose ids are the same numbers, the row in `connections`. */
const notedAs = (kind: string) => sql<number>`(select n.id from connections as n
  where n.customer_id = t.customer_id and n.kind = ${kind} and n.own_id = t.id)`
const sorts: readonly Sort[] = [
  {
    kind: 'keys',
    table: 'api_keys',
    name: sql<string>`t.name`,
    by: sql<boolean>`a.action = 'create'`,
    while: live,
    call: apiKeys.removeOfUser,
    end: within(removeKey),
  },
  {
    kind: 'users',
    table: 'users',
    name: sql<string>`t.name || ', ' || t.email`,
    // Enabled, by whichever call.
    by: sql<boolean>`((a.action in ('invite', 'activate', 'permission') or a.after @> '{"active": true}') and a.user_id <> t.id)`,
    while: sql<boolean>`t.active and t.deleted_at is null`,
    call: users.deactivate,
    end: within(disableUser),
  },
  {
    kind: 'schedules',
    table: 'reports',
    name: sql<string>`t.name`,
    by: sql<boolean>`(a.action = 'create' or a.after ? 'recipients')`,
    while: sql<boolean>`t.active and t.scheduled and t.deleted_at is null`,
    call: scheduledReports.deactivateScheduled,
    end: within(disableSchedule),
  },
  {
    kind: 'connections',
    table: 'connections',
    name: sql<string>`coalesce(t.name, t.integration_type)`,
    by: connected,
    while: sql<boolean>`t.own_id is null and t.deleted_at is null`,
    call: connections.remove,
    end: endConnection,
  },
  ...(
    [
      ['accounting_integrations', 'accounting', accounting.remove, endAccounting],
      ['marketing_integrations', 'marketing', marketing.remove, endMarketing],
    ] as const
  ).map(([table, kind, call, end]): Sort => ({
    kind: 'connections',
    table,
    id: notedAs(kind),
    name: sql<string>`coalesce(t.name, t.integration_type)`,
    by: connected,
    while: live,
    call,
    end,
  })),
  {
    kind: 'connections',
    table: 'property_interfaces',
    id: notedAs('property'),
    name: sql<string>`coalesce(t.name, t.uuid::text)`,
    by: connected,
    while: sql<boolean>`t.active and t.deleted_at is null`,
    call: interfaces.deactivate,
    end: within(disableInterface),
  },
  {
    kind: 'webhooks',
    table: 'webhooks',
    name: sql<string>`t.url`,
    by: sql<boolean>`(a.action = 'create' or a.after ?| array['url', 'url_changed', 'events', 'personal_data'])`,
    while: sql<boolean>`t.active and t.deleted_at is null`,
    call: webhooks.update,
    end: within(disableWebhook),
  },
  {
    kind: 'gateways',
    table: 'gateways',
    name: sql<string>`coalesce(t.name, t.nas_identifier)`,
    by: sql<boolean>`(a.action = 'create' or a.after ? 'radius_secret_changed')`,
    while: sql<boolean>`t.active and t.deleted_at is null`,
    call: gateways.deactivate,
    end: within(disableGateway),
  },
]
/** The areas of what is listed. */
export const areasOfMade: readonly Area[] = sorts.map(({ call }) => call.area)

interface Found {
  id: number
  name: string
  made_at: string
  session: string | null
  ip: string | null
}

/** Lines of the log, called `a`, of what somebody has done, or what was done with a key that they have or made, and be it gone by now. */
const doneBy = ({ customer_id, principal: { id } }: Scope) => sql<boolean>`(a.customer_id = ${customer_id}
  and (a.user_id = ${id} or a.principal_kind = 'api_key' and a.principal_id in (select k.id from api_keys as k
    where k.customer_id = ${customer_id} and (k.user_id = ${id} or k.created_by_user_id = ${id}))))`

/** One's own lines, wherever they belong: that on one's own key is no group's, so that its editors do not see it in the log. */
const foundBy = (scope: Scope, { table, id = sql`t.id`, name, by, while: isLive }: Sort, since: Date) =>
  scope.run(sql<Found>`
    select distinct on (t.id) ${id} as id, ${name} as name, a.created_at as made_at, a.session, host(a.ip) as ip
    from activity as a join ${sql.table(table)} as t on t.customer_id = a.customer_id and t.id = a.object_id
    where a.object_type = ${table} and ${doneBy(scope)} and a.created_at >= ${since.toISOString()}::timestamptz
      and ${by} and ${isLive} and ${scope.inReach(table, 't')}
    order by t.id, a.created_at desc`)

const usersOf = ({ tenancy }: Pick<Services, 'tenancy'>, login_id: number) =>
  tenancy.callFunction(sql<LoginUser>`select * from door_users(${login_id})`)

/** `own`: the handle of the session that asks. */
async function madeBy(
  services: Pick<Services, 'tenancy' | 'session_idle_ms'>,
  login_id: number,
  { asked, own }: { asked?: string | undefined; own: string | null },
): Promise<Output<typeof contract.madeSince>> {
  const { tenancy, session_idle_ms } = services
  const [changed] = await tenancy.callFunction(
    sql<{ since: string }>`select case when ${asked ?? null}::timestamptz is null then door_password_since(${login_id})
      else greatest(${asked ?? null}::timestamptz, now() - interval '90 days') end as since`,
  )
  const since = new Date(changed?.since ?? Date.now())
  const sessions = await tenancy.callFunction(sql<{ handle: string; user_agent: string | null }>`
    select handle, user_agent from door_sessions(${login_id}, ${session_idle_ms / 1000})`)
  const devices = new Map(sessions.map(({ handle, user_agent }) => [handle, deviceIn(user_agent)]))
  const made: Output<typeof contract.madeSince> = {
    since: since.toISOString(),
    keys: [],
    users: [],
    schedules: [],
    connections: [],
    webhooks: [],
    gateways: [],
  }
  for (const user of await usersOf(services, login_id)) {
    const caller = callerOf(user, null)
    await tenancy.enter(caller, 'read', async (scope) => {
      for (const sort of sorts)
        for (const { id, name, made_at, session, ip } of await foundBy(scope, sort, since))
          made[sort.kind].push({
            id,
            name,
            customer_name: user.customer_name,
            made_at: new Date(made_at).toISOString(),
            session: {
              session,
              device: session && (devices.get(session) ?? null),
              ip,
              current: session !== null && session === own,
            },
            may_end: may(caller, sort.call),
          })
    })
  }
  return made
}

/**
 * Ends what is named, or refuses it all: each must be in reach of one of the login's users who may end it. What it was made by does not
 * matter. To be called before the password is changed.
 */
export async function endMade(
  services: EndingServices,
  login_id: number,
  end: z.output<typeof Endings> | undefined,
  ip: string,
): Promise<void> {
  if (!end) return
  const steps: { sort: Sort; caller: Caller; id: number; named: number }[] = []
  for (const user of await usersOf(services, login_id)) {
    const caller = callerOf(user, ip)
    for (const sort of sorts.filter(({ kind, call }) => end[kind].length > 0 && may(caller, call)))
      await services.tenancy.enter(caller, 'read', async (scope) => {
        const named = sort.id ?? sql`t.id`
        const rows = await scope.run(sql<{ id: number; named: number }>`
          select t.id, ${named} as named from ${sql.table(sort.table)} as t
          where ${named} = any(${end[sort.kind]}) and ${sort.while} and ${scope.inReach(sort.table, 't')}`)
        steps.push(...rows.map((row) => ({ sort, caller, ...row })))
      })
  }
  const wrong = madeKinds.filter((kind) =>
    end[kind].some((id) => !steps.some((step) => step.sort.kind === kind && step.named === id)),
  )
  if (wrong.length > 0) throw invalid(Object.fromEntries(wrong.map((kind) => [`end.${kind}`, [selectedIdsInvalid]])))
  const done = new Set<string>()
  for (const { sort, caller, id } of steps) {
    const what = `${sort.table} ${id}`
    if (!done.has(what)) await sort.end(services, caller, id)
    done.add(what)
  }
}

/**
 * Before somebody proves, by another link than the sign-up's, an address that nobody has proven: ends all that was made in the customers
 * that wait for it, so that nothing of whoever has typed the address goes on in its holder's name.
 */
export async function endUnproven(services: EndingServices, login_id: number, ip: string): Promise<void> {
  const { tenancy } = services
  const [login] = await tenancy.callFunction(
    sql<{ is_unproven: boolean }>`select door_is_unproven(${login_id}) as is_unproven`,
  )
  if (!login?.is_unproven) return
  const waiting = (await usersOf(services, login_id)).filter(({ mails_wait }) => mails_wait)
  for (const caller of waiting.map((user) => callerOf(user, ip)))
    for (const sort of sorts.filter(({ call }) => may(caller, call))) {
      const found = await tenancy.enter(caller, 'read', (scope) =>
        foundBy(scope, { ...sort, id: sql<number>`t.id` }, new Date(0)),
      )
      for (const { id } of found) await sort.end(services, caller, id)
    }
}

export default (services: Pick<Services, 'tenancy' | 'session_idle_ms'>) =>
  serveUnscoped(contract, {
    async madeSince({ session, input }) {
      const { login_id, handle } = signedIn(session)
      return madeBy(services, login_id, { asked: input.since, own: handle })
    },
    async madeSinceByLink({ input: { token } }) {
      const [login] = await services.tenancy.callFunction(
        sql<{ login_id: number }>`select login_id from door_reset_of(${hashOf(token)})`,
      )
      return { made: login ? await madeBy(services, login.login_id, { own: null }) : null }
    },
  })
