// Push: the job that makes the drafts of a run in the books of an accounting provider, one after the other.
//
// Nobody knows what became of a call whose answer was lost, nor of one that a node made which then died. So it is written down
// before each call that it may have been taken, and whatever may have been is looked up by its reference before it is sent again,
// and then with the same key and the same words. Who is at a draft has claimed it for a while; others leave it alone.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { callerOfJob, type Caller } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind, type Queue } from '#server/jobs/queue.ts'
import { keptConnection, syncAccounting } from './accounting.ts'
import type { Draft, Drafted, DraftKind } from './accounting-provider.ts'
import type { Integrations } from './integrations.ts'
import { ProviderFailure, saidByJob } from './provider.ts'
import { sayFailed } from './standing.ts'

interface Options {
  tenancy: Tenancy
  integrations: Integrations
  queue: Queue
}

/** Longer than looking up and sending can take, with a token renewed at each. */
const claim_s = 240
/** The first wait after a failure; each further one doubles it. */
const retry_s = 30
/** About an hour. A provider that says when it wants to be asked again is asked as often as it says. */
const tries_max = 8

interface Taken {
  id: number
  integration_id: number | null
  integration_type: string | null
  tenant_id: string
  short_code: string | null
  contact: string | null
  kind: DraftKind
  currency: string
  dated_on: string
  idempotency_key: string
  account_code: string | null
  tax_type: string | null
  attempts: number
  was_unsure: boolean
  claim: string
  lines: { description: string; amount: string }[]
}

/** What fails stands on its draft, with the time of the next try; this is for nodes that were killed. */
export const pushRunKind = jobKind<{ customer_id: number; run_id: number }>('push_run', { limit: 20, after_s: 15 })

export async function pushRun(
  options: Options,
  { customer_id, run_id }: { customer_id: number; run_id: number },
): Promise<void> {
  const { tenancy, queue } = options
  const caller = callerOfJob(customer_id, 'drafts')
  await readContacts(options, caller, run_id)
  for (;;) {
    const taken = await tenancy.enter(caller, 'write', (scope) => take(scope, run_id))
    if (!taken) break
    if (!(await send(options, caller, taken))) break
  }
  await tenancy.enter(caller, 'write', async (scope) => {
    const after_s = await waitOf(scope, run_id)
    if (after_s !== null) await queue.sendMany(pushRunKind, customer_id, [{ carried: { run_id }, after_s }])
  })
}

export const pushRunJob = job({ kind: pushRunKind, run: pushRun })

/** Who was archived or became another an hour ago is not billed any more. What is wrong with the connection is said on it. */
async function readContacts(options: Options, caller: Caller, run_id: number): Promise<void> {
  const connections = await options.tenancy.enter(caller, 'read', (scope) =>
    scope.run(sql<{ id: number }>`
      select distinct t.accounting_integration_id as id from billing_invoices as t
      where t.billing_run_id = ${run_id} and t.state = 'waiting' and t.accounting_integration_id is not null
        and ${scope.inReach('billing_invoices', 't')}`),
  )
  for (const { id } of connections) await syncAccounting(options, caller.customer_id, id)
}

const isDue = sql<boolean>`(t.state = 'waiting' and coalesce(t.next_try_at, now()) <= now() and coalesce(t.claimed_until, now()) <= now())`

/** Claims the next draft, and writes down that it may have been sent from now on. */
async function take(scope: Scope, run_id: number): Promise<Taken | null> {
  const claim = randomUUID()
  const [next] = await scope.run(sql<{ id: number; was_unsure: boolean }>`
    select t.id, t.is_unsure as was_unsure from billing_invoices as t
    where t.billing_run_id = ${run_id} and ${isDue} and ${scope.inReach('billing_invoices', 't')}
    order by t.attempts, t.id limit 1 for no key update of t skip locked`)
  if (!next) return null
  if (!next.was_unsure) await followMerged(scope, next.id)
  const claimed_until = sql`now() + make_interval(secs => ${claim_s})`
  await scope.change('billing_invoices', [next.id], { claim, claimed_until, is_unsure: true })
  const [taken] = await scope.run(sql<Omit<Taken, 'claim' | 'was_unsure'>>`
    select t.id, i.id as integration_id, i.integration_type, t.tenant_id, i.short_code, c.external_id as contact, t.kind, t.currency,
      t.dated_on::text, t.idempotency_key, t.account_code, t.tax_type, t.attempts,
      (select json_agg(json_build_object('description', l.description, 'amount', l.amount::text) order by l.id)
        from billing_invoice_lines as l where l.customer_id = t.customer_id and l.billing_invoice_id = t.id
          and ${scope.inReach('billing_invoice_lines', 'l')}) as lines
    from billing_invoices as t
    left join accounting_integrations as i on i.customer_id = t.customer_id and i.id = t.accounting_integration_id
      and ${scope.inReach('accounting_integrations', 'i')}
    left join accounting_contacts as c on c.customer_id = t.customer_id and c.id = t.accounting_contact_id
      and ${scope.inReach('accounting_contacts', 'c')}
    where t.id = ${next.id} and ${scope.inReach('billing_invoices', 't')}`)
  return taken ? { ...taken, claim, was_unsure: next.was_unsure } : null
}

/** A contact that became another since the draft was asked for. */
const followMerged = (scope: Scope, id: number) =>
  scope.run(sql`
    update billing_invoices as t set accounting_contact_id = next.id
    from accounting_contacts as was join accounting_contacts as next on next.customer_id = was.customer_id
      and next.accounting_integration_id = was.accounting_integration_id and next.external_id = was.merged_into
    where t.id = ${id} and was.customer_id = t.customer_id and was.id = t.accounting_contact_id
      and ${scope.inReach('billing_invoices', 't')}`)

/** By which a draft is found again. It stands on what the contact reads, so it is short. */
export const referenceOf = ({ idempotency_key }: { idempotency_key: string }) =>
  `FOYER-${idempotency_key.replaceAll('-', '').slice(0, 16).toUpperCase()}`

/** Answers whether the next one may be tried at once. */
async function send({ tenancy, integrations }: Options, caller: Caller, taken: Taken): Promise<boolean> {
  let is_looked_up = false
  try {
    const { provider, ask } = await connected(tenancy, integrations, caller, taken)
    const books = { tenant_id: taken.tenant_id, short_code: taken.short_code }
    const reference = referenceOf(taken)
    const found = taken.was_unsure
      ? (await provider.findDrafts(ask, books, taken.kind, [reference])).get(reference)
      : undefined
    // Whatever is said from here on is said of the draft itself.
    is_looked_up = true
    const drafted = found ?? (await provider.makeDraft(ask, books, draftOf(taken)))
    await tenancy.enter(caller, 'write', (scope) => saySent(scope, taken, drafted))
    return true
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    const is_sure = error.failing !== 'later' && (is_looked_up || !taken.was_unsure)
    await tenancy.enter(caller, 'write', (scope) => sayWhy(scope, taken, error, is_sure))
    if (error.failing !== 'reconnect') return error.failing !== 'later'
    await stopAll({ tenancy }, caller, taken, error)
    return true
  }
}

async function connected(tenancy: Tenancy, integrations: Integrations, caller: Caller, taken: Taken) {
  const { integration_id: id, integration_type } = taken
  const kept = id === null ? undefined : await tenancy.enter(caller, 'read', (scope) => keptConnection(scope, id))
  if (!kept || integration_type === null || kept.tenant_id !== taken.tenant_id)
    throw new ProviderFailure('refused', 'This organisation is not connected any more. Connect it, then try again.', {
      fix: 'connection',
    })
  return integrations.use(caller, { kind: 'accounting', id: kept.id }, integration_type)
}

function draftOf(taken: Taken): Draft {
  const { kind, contact, dated_on, currency, idempotency_key, account_code, tax_type, lines } = taken
  if (contact === null)
    throw new ProviderFailure('refused', 'The contact is gone. Choose another one for the property, then try again.', {
      fix: 'contact',
    })
  return {
    kind,
    contact,
    dated_on,
    currency,
    idempotency_key,
    account_code,
    tax_type,
    lines,
    reference: referenceOf(taken),
  }
}

/** Whose claim has run out meanwhile writes nothing: another is at it. */
const claimedBy = ({ id, claim }: Taken) =>
  sql<boolean>`(t.id = ${id} and t.claim = ${claim}::uuid and t.state = 'waiting')`
const free = { claim: null, claimed_until: null }

async function saySent(
  scope: Scope,
  taken: Taken,
  { external_id, number, url, amount, tax, gone }: Drafted,
): Promise<void> {
  const sign = taken.kind === 'credit_note' ? -1 : 1
  await scope.change('billing_invoices', claimedBy(taken), {
    ...free,
    // Somebody may have deleted it before its answer came.
    state: gone === null ? 'sent' : 'gone',
    gone_as: gone,
    is_unsure: false,
    external_id,
    number,
    url,
    amount_answered: sql`${sign}::integer * ${amount}::numeric`,
    tax_answered: sql`${sign}::integer * ${tax}::numeric`,
    sent_at: sql`now()`,
    last_error: null,
    last_fix: null,
  })
}

/** @param is_sure the provider has not taken it, which is known. */
async function sayWhy(scope: Scope, taken: Taken, error: ProviderFailure, is_sure: boolean): Promise<void> {
  const { failing, message, retry_after_s } = error
  const columns = { ...free, ...(is_sure ? { is_unsure: false } : {}) }
  const attempts = taken.attempts + (retry_after_s === undefined ? 1 : 0)
  if (failing === 'later' && attempts < tries_max) {
    const wait_s = Math.max(retry_after_s ?? 0, retry_s * 2 ** taken.attempts)
    const next_try_at = sql`now() + make_interval(secs => ${wait_s})`
    return void (await scope.change('billing_invoices', claimedBy(taken), {
      ...columns,
      attempts,
      next_try_at,
      last_error: saidByJob(error),
    }))
  }
  const last_error = failing === 'later' ? `${message} It was tried ${attempts} times: try again later.` : message
  await scope.change('billing_invoices', claimedBy(taken), {
    ...columns,
    state: 'failed',
    attempts,
    last_error,
    last_fix: error.fix,
  })
}

/** Nothing else of this connection would be taken either. */
async function stopAll({ tenancy }: Pick<Options, 'tenancy'>, caller: Caller, taken: Taken, error: ProviderFailure) {
  const { integration_id } = taken
  if (integration_id === null) return
  await sayFailed(tenancy, caller, { kind: 'accounting', id: integration_id }, error)
  await tenancy.enter(caller, 'write', (scope) =>
    scope.change('billing_invoices', sql<boolean>`(t.accounting_integration_id = ${integration_id} and ${isDue})`, {
      state: 'failed',
      last_error: error.message,
      last_fix: error.fix,
    }),
  )
}

/** After how many seconds something of the run can be tried next; null: nothing waits. */
async function waitOf(scope: Scope, run_id: number): Promise<number | null> {
  const [next] = await scope.run(sql<{ after_s: number | null }>`
    select ceil(extract(epoch from min(greatest(t.next_try_at, t.claimed_until, now())) - now()))::integer as after_s
    from billing_invoices as t
    where t.billing_run_id = ${run_id} and t.state = 'waiting' and ${scope.inReach('billing_invoices', 't')}`)
  return next?.after_s ?? null
}
