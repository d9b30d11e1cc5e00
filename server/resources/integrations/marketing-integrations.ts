// Marketing integrations: connected by consent, one audience each, and the state of each guest who agreed to marketing.
import { sql } from 'kysely'
import { selectedInvalid } from '#contract/errors.ts'
import * as contract from '#contract/marketing-integrations.ts'
import type { Caller } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve, staged } from '#server/api/serve.ts'
import { logActivity } from '#server/entities/activity-log.ts'
import { entity, type Sql } from '#server/entities/entity.ts'
import { listRows } from '#server/entities/lists.ts'
import { lockedRow, oneRow } from '#server/entities/read.ts'
import { searched, wordsOf } from '#server/entities/list-search.ts'
import { createRow, removeRow, updateRow } from '#server/entities/verbs.ts'
import { invalid, notFound } from '#server/errors/refused.ts'
import { beginErasures, erasureKind } from '#server/integrations/audience-erasures.ts'
import { erasedGuest } from '#server/integrations/audience-enrolment.ts'
import { keptAudience } from '#server/integrations/marketing.ts'
import type { MarketingProvider } from '#server/integrations/marketing-provider.ts'
import { marketing } from '#server/connections/marketing/kind.ts'
import { ProviderFailure, type Ask } from '#server/connections/provider.ts'
import type { Choices } from '#server/integrations/definition.ts'
import {
  failed,
  formerConnection,
  ownerId,
  ownerType,
  connectionState,
  unite,
  well,
} from '#server/connections/state.ts'
import { syncNow } from '#server/connections/connection-work.ts'
import type { Services } from '#server/services.ts'

/** Of a member: one whom the provider refuses to take out is refused, too. */
const stateOf = (member: 'm' | 't') =>
  sql`case when ${sql.ref(`${member}.refused_at`)} is null then ${sql.ref(`${member}.state`)} else 'refused' end`
const countedAs = (condition: Sql) => sql`
  (select count(*)::integer from marketing_members as m
   where m.customer_id = t.customer_id and m.marketing_integration_id = t.id and ${condition})`
/** The work that erases the member `m` there. */
const erasure = (member: 'm' | 't') => sql`from due_work as d where d.customer_id = ${sql.ref(`${member}.customer_id`)}
  and d.kind = ${erasureKind.name} and d.about_id = ${sql.ref(`${member}.id`)}`

const integrations = entity({
  table: 'marketing_integrations',
  row: contract.MarketingIntegration,
  detail: contract.MarketingIntegration,
  computed: {
    owner_type: ownerType,
    owner_id: ownerId,
    state: connectionState('audience_id'),
    last_synced_at: sql`t.synced_at`,
    members: sql`json_build_object(${sql.join(
      contract.memberStates.flatMap((state) => [sql.lit(state), countedAs(sql`${stateOf('m')} = ${state}`)]),
    )}, 'erasures', ${countedAs(erasedGuest('m'))}, 'erasures_given_up',
      ${countedAs(sql`${erasedGuest('m')} and exists (select ${erasure('m')} and d.state in ('failed', 'unknown'))`)})`,
  },
  filters: { words: wordsOf(sql`coalesce(t.name, '')`) },
  belongs: { group_id: 'group_id', property_id: 'property_id' },
})

const ofGuest = (value: 'name' | 'email') =>
  sql`(select ${sql.ref(`g.${value}`)} from guests as g where g.customer_id = t.customer_id and g.id = t.guest_id)`
const ofConsent = (value: 'wording' | 'granted_at') => sql`
  (select ${sql.ref(`r.${value}`)} from consent_records as r where r.customer_id = t.customer_id and r.id = t.consent_record_id)`

const members = entity({
  table: 'marketing_members',
  label: 'id',
  row: contract.MarketingMember,
  detail: contract.MarketingMember,
  computed: {
    guest: sql`(select json_build_object('id', g.id, 'name', coalesce(g.name, g.email, '')) from guests as g
      where g.customer_id = t.customer_id and g.id = t.guest_id and g.deleted_at is null)`,
    email: ofGuest('email'),
    wording: ofConsent('wording'),
    state: stateOf('t'),
    next_try_at: sql`case when ${erasedGuest('t')} then (select d.next_at ${erasure('t')} and d.state = 'waiting' and d.tries > 0)
      when t.state in ('waiting', 'sent', 'leaving') and t.attempts > 0 then t.due_at end`,
    agreed_at: ofConsent('granted_at'),
  },
  filters: {
    words: wordsOf(sql`concat_ws(' ', ${ofGuest('name')}, ${ofGuest('email')})`),
    state: ({ is }) => is(stateOf('t')),
    disconnected: ({ is }) =>
      is(sql`exists (select from marketing_integrations as i where i.customer_id = t.customer_id
        and i.id = t.marketing_integration_id and i.deleted_at is not null)`),
  },
})

const kind = marketing

/** Disconnected audiences that still contain guests who were erased, before or since. */
const left = (scope: Scope) =>
  scope.run(sql<{ integration_type: string; name: string; audience: string; erasures: number }>`
    select i.integration_type, coalesce(i.name, i.integration_type) as name,
      coalesce((select a ->> 'name' from jsonb_array_elements(i.audiences::jsonb) as a where a ->> 'id' = i.audience_id),
        i.audience_id) as audience,
      count(*)::integer as erasures
    from marketing_members as t
    join marketing_integrations as i on i.customer_id = t.customer_id and i.id = t.marketing_integration_id
      and i.deleted_at is not null
    where ${erasedGuest('t')} and ${scope.inReach('marketing_members', 't')}
    group by i.integration_type, i.name, i.audiences::jsonb, i.audience_id order by 2, 3`)

/** With a new consent nobody waits for their next try, and what was refused or given up begins anew. */
async function tryNow(scope: Scope, queue: Services['queue'], id: number) {
  await scope.change(
    'marketing_members',
    sql<boolean>`(t.marketing_integration_id = ${id} and t.state in ('waiting', 'leaving')
      and (t.due_at > now() and t.attempts > 0 or t.refused_at is not null))`,
    { due_at: null, attempts: 0, refused_at: null },
  )
  await beginErasures(scope, queue, { id })
}

/** What a new consent gives access to. The consent is kept even if the provider fails to answer now: a job asks again. */
async function discover(provider: MarketingProvider, ask: Ask) {
  const account = await provider.account(ask).catch((error: unknown) => {
    if (!(error instanceof ProviderFailure)) throw error
    throw invalid({ code: [`${error.message} Please connect again.`] })
  })
  try {
    const audiences = await provider.audiences(ask, account.tenant_id)
    const [only, another] = audiences
    return {
      ...account,
      audiences,
      audience_id: only && !another ? only.id : undefined,
      columns: { ...well } as Record<string, unknown>,
    }
  } catch (error) {
    return { ...account, audiences: [] as Choices, audience_id: undefined, columns: failed(error) }
  }
}

/** Outside any transaction: the provider is told first. */
async function revoked(services: Pick<Services, 'tenancy' | 'integrations'>, caller: Caller, id: number) {
  const kept = await services.tenancy.enter(caller, 'read', (scope) => keptAudience(scope, id))
  if (!kept) throw notFound()
  await services.integrations.marketing.revoke(caller, id, kept.integration_type)
}

async function removed(services: Pick<Services, 'integrations'>, scope: Scope, id: number) {
  const gone = await removeRow(scope, integrations, id)
  await services.integrations.marketing.forget(scope, id)
  return gone
}

export async function endMarketing(services: Pick<Services, 'tenancy' | 'integrations'>, caller: Caller, id: number) {
  await revoked(services, caller, id)
  return services.tenancy.enter(caller, 'write', (scope) => removed(services, scope, id))
}

export default (services: Pick<Services, 'tenancy' | 'queue' | 'integrations'>) => {
  const sync = (scope: Scope, id: number) => syncNow(scope, services.queue, kind, [id])
  return serve(contract, {
    list: async ({ scope, input }) => {
      services.integrations.marketing.refuseUnknown(input.filters.integration_type)
      const { data, meta } = (await listRows(scope, integrations, searched(input))).parsed()
      return {
        data,
        meta: {
          ...meta,
          integrations: data,
          providers: services.integrations.marketing.providers(),
          left: await left(scope),
        },
      }
    },
    get: ({ scope, input }) => oneRow(scope, integrations, input.id),
    authorize: staged(
      async ({ caller, input: { id = null, integration_type } }) => {
        const renewed =
          id === null ? undefined : await services.tenancy.enter(caller, 'read', (scope) => keptAudience(scope, id))
        const word = services.integrations.marketing.wordOf(integration_type, renewed)
        return services.integrations.marketing.begin(caller, word, id)
      },
      ({ prepared }) => Promise.resolve(prepared),
    ),
    create: staged(
      async ({ caller, input }) => {
        const {
          offered: { provider },
          tokens,
          again,
          ask,
        } = await services.integrations.marketing.finish(caller, input)
        const found = await discover(provider, ask)
        return { integration_type: provider.definition.integration_type, tokens, again, ...found }
      },
      async ({ scope, prepared }) => {
        const { integration_type, tokens, again, tenant_id, name, audiences, audience_id, columns } = prepared
        const former = await formerConnection(scope, kind, {
          again,
          integration_type,
          tenant_id,
          audience_id: audience_id ?? null,
        })
        const id = former ?? (await createRow(scope, integrations, { integration_type })).id
        const before = await lockedRow(scope, integrations, id)
        if (before.tenant_id !== null && before.tenant_id !== tenant_id)
          throw invalid({
            code: [
              `You signed in with an account other than ${before.name}. Please sign in with ${before.name} at the provider.`,
            ],
          })
        await scope.change('marketing_integrations', [id], {
          ...columns,
          tenant_id,
          name,
          audiences: JSON.stringify(audiences),
          audience_id: before.audience_id ?? audience_id,
          connected_at: sql`now()`,
        })
        await services.integrations.marketing.keep(scope, id, tokens)
        await tryNow(scope, services.queue, id)
        const row = await oneRow(scope, integrations, id)
        await logActivity(scope, { action: 'integration', entity: integrations, row, before, after: row })
        await sync(scope, id)
        return row
      },
    ),
    update: async ({ scope, input }) => {
      const { audience_id } = input
      let { id } = input
      const { audiences, audience_id: chosen, integration_type, tenant_id } = await lockedRow(scope, integrations, id)
      if (audience_id !== undefined && audience_id !== chosen) {
        if (chosen !== null)
          throw invalid({ audience_id: ['The audience cannot be changed. To use another one, connect again.'] })
        if (!audiences.some((one) => one.id === audience_id))
          throw invalid({ audience_id: [selectedInvalid('audience_id')] })
        if (tenant_id !== null && audience_id !== null)
          id = await unite(
            scope,
            services.integrations.marketing,
            { kind, id },
            { integration_type, tenant_id, audience_id },
          )
        await tryNow(scope, services.queue, id)
        await sync(scope, id)
      }
      return updateRow(scope, integrations, { ...input, id })
    },
    remove: staged(
      ({ caller, input }) => revoked(services, caller, input.id),
      ({ scope, input }) => removed(services, scope, input.id),
    ),
    members: ({ scope, input }) => {
      const filters = { ...input.filters, disconnected: input.filters.disconnected ?? false }
      return listRows(scope, members, searched({ ...input, filters }))
    },
  })
}
