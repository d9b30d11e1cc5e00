// Push: the job that makes the drafts of a run in the books of an accounting provider, one after the other.
//
// The result of a call is unknown if its answer was lost or the node died. So each draft is marked before the call as possibly
// accepted, and such drafts are looked up by their reference before they are sent again, with the same key and content. The job
// working on a draft has claimed it for a while; others leave it alone.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { callerOfJob, type Caller } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { mergers } from '#server/billing/merged-contacts.ts'
import { whyLost, type AskedFor } from '#server/access/present.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind, type Queue } from '#server/jobs/queue.ts'
import { keptConnection, syncAccounting } from './accounting.ts'
import type { Draft, Drafted, DraftKind } from './accounting-provider.ts'
import { contactLabel } from './contact-name.ts'
import type { Integrations } from './integrations.ts'
import { ProviderFailure, jobMessage } from './provider.ts'
import { recordFailure } from './connection-state.ts'

interface Options {
  tenancy: Tenancy
  integrations: Integrations
  queue: Queue
}

/** Longer than a look-up and a call can take, each with a renewed token. */
const claim_s = 240
/** The first wait after a failure; each further one doubles it. */
const retry_s = 30
/** About an hour. Tries at a time given by the provider (Retry-After) do not count. */
const tries_max = 8

interface Taken extends AskedFor {
  id: number
  integration_id: number | null
  integration_type: string | null
  tenant_id: string
  short_code: string | null
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

/** Failures are recorded on the draft, with the time of the next try; this retry is for nodes that were killed. */
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

/** Refreshes contacts, so that recently archived or merged ones are not billed. Errors are recorded on the connection. */
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

/** Claims the next draft, and marks that it may have been sent from now on. */
async function take(scope: Scope, run_id: number): Promise<Taken | null> {
  const claim = randomUUID()
  const [next] = await scope.run(sql<{ id: number; was_unsure: boolean }>`
    select t.id, t.is_unsure as was_unsure from billing_invoices as t
    where t.billing_run_id = ${run_id} and ${isDue} and ${scope.inReach('billing_invoices', 't')}
    order by t.attempts, t.id limit 1 for no key update of t skip locked`)
  if (!next) return null
  const claimed_until = sql`now() + make_interval(secs => ${claim_s})`
  await scope.change('billing_invoices', [next.id], { claim, claimed_until, is_unsure: true })
  const [taken] = await scope.run(sql<Omit<Taken, 'claim' | 'was_unsure'>>`
    select t.id, i.id as integration_id, i.integration_type, t.tenant_id, i.short_code, t.kind, t.currency,
      t.dated_on::text, t.idempotency_key, t.account_code, t.tax_type, t.attempts,
      t.asked_by_user_id, t.asked_by_key_id, t.asked_right,
      (select json_agg(json_build_object('description', l.description, 'amount', l.amount::text) order by l.id)
        from billing_invoice_lines as l where l.customer_id = t.customer_id and l.billing_invoice_id = t.id
          and ${scope.inReach('billing_invoice_lines', 'l')}) as lines
    from billing_invoices as t
    left join accounting_integrations as i on i.customer_id = t.customer_id and i.id = t.accounting_integration_id
      and ${scope.inReach('accounting_integrations', 'i')}
    where t.id = ${next.id} and ${scope.inReach('billing_invoices', 't')}`)
  return taken ? { ...taken, claim, was_unsure: next.was_unsure } : null
}

/** Replaces a contact that was merged into another since the draft was planned, by the one that is left after all mergers. */
const followMerged = (scope: Scope, id: number) =>
  scope.run(sql`
    update billing_invoices as t set accounting_contact_id = m.next_id
    from ${mergers(
      scope,
      (contact) => sql`${sql.ref(`${contact}.id`)} in (select o.accounting_contact_id from billing_invoices as o
      where o.id = ${id} and ${scope.inReach('billing_invoices', 'o')})`,
    )} as m
    where t.id = ${id} and t.accounting_contact_id = m.was_id and ${scope.inReach('billing_invoices', 't')}`)

interface Payer {
  contact: string | null
  contact_name: string | null
  contact_merged: boolean
}
const payerColumns = sql`c.external_id as contact, ${contactLabel('c')} as contact_name, coalesce(c.merged_into is not null,
  false) as contact_merged`

/**
 * The contact to be billed now. Of a draft that may be in the books it is followed only once these do not have it; the key stays, so
 * that a call of ours that they did take is told from this one.
 */
async function payerOf(scope: Scope, id: number): Promise<Payer> {
  await followMerged(scope, id)
  const [payer] = await scope.run(sql<Payer>`
    select ${payerColumns} from billing_invoices as t
    left join accounting_contacts as c on c.customer_id = t.customer_id and c.id = t.accounting_contact_id
      and ${scope.inReach('accounting_contacts', 'c')}
    where t.id = ${id} and ${scope.inReach('billing_invoices', 't')}`)
  return payer ?? { contact: null, contact_name: null, contact_merged: false }
}

/** The reference by which a draft is found again. The contact sees it on the invoice, so it is short. */
export const referenceOf = ({ idempotency_key }: { idempotency_key: string }) =>
  `FOYER-${idempotency_key.replaceAll('-', '').slice(0, 16).toUpperCase()}`

/** Returns whether the next one may be tried at once. */
async function send({ tenancy, integrations }: Options, caller: Caller, taken: Taken): Promise<boolean> {
  let is_looked_up = false
  try {
    const { provider, ask } = await connected(tenancy, integrations, caller, taken)
    const books = { tenant_id: taken.tenant_id, short_code: taken.short_code }
    const reference = referenceOf(taken)
    const found = taken.was_unsure
      ? (await provider.findDrafts(ask, books, taken.kind, [reference])).get(reference)
      : undefined
    // Failures from here on concern the draft itself.
    is_looked_up = true
    const made = async () => {
      const { lost, payer } = await tenancy.enter(caller, 'write', async (scope) => ({
        lost: await whyLost(scope, taken),
        payer: await payerOf(scope, taken.id),
      }))
      if (lost) throw new ProviderFailure('refused', `${lost} Send the run again yourself.`)
      return provider.makeDraft(ask, books, draftOf(taken, payer))
    }
    const drafted = found ?? (await made())
    await tenancy.enter(caller, 'write', (scope) => markSent(scope, taken, drafted))
    return true
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    const is_sure = error.failing !== 'later' && (is_looked_up || !taken.was_unsure)
    await tenancy.enter(caller, 'write', (scope) => recordFailed(scope, taken, error, is_sure))
    if (error.for_all) await waitAll({ tenancy }, caller, taken, error)
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

function draftOf(taken: Taken, { contact, contact_name, contact_merged }: Payer): Draft {
  const { kind, dated_on, currency, idempotency_key, account_code, tax_type, lines } = taken
  if (contact === null)
    throw new ProviderFailure('refused', 'The contact is gone. Choose another one for the property, then try again.', {
      fix: 'contact',
    })
  if (contact_merged)
    throw new ProviderFailure(
      'refused',
      `${contact_name} was merged into a contact that Foyer does not have. Choose another one for the property, then try again.`,
      { fix: 'contact' },
    )
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

/** After a claim has expired nothing is written: another job is working on the draft. */
const claimedBy = ({ id, claim }: Taken) =>
  sql<boolean>`(t.id = ${id} and t.claim = ${claim}::uuid and t.state = 'waiting')`
const free = { claim: null, claimed_until: null }

async function markSent(
  scope: Scope,
  taken: Taken,
  { external_id, number, url, amount, tax, gone }: Drafted,
): Promise<void> {
  const sign = taken.kind === 'credit_note' ? -1 : 1
  await scope.change('billing_invoices', claimedBy(taken), {
    ...free,
    // It may have been deleted before its answer came.
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

/** @param is_sure whether it is certain that the provider has not accepted it. */
async function recordFailed(scope: Scope, taken: Taken, error: ProviderFailure, is_sure: boolean): Promise<void> {
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
      last_error: jobMessage(error),
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

/** No other draft of this connection would be accepted either. */
async function stopAll({ tenancy }: Pick<Options, 'tenancy'>, caller: Caller, taken: Taken, error: ProviderFailure) {
  const { integration_id } = taken
  if (integration_id === null) return
  await recordFailure(tenancy, caller, { kind: 'accounting', id: integration_id }, error)
  await tenancy.enter(caller, 'write', (scope) =>
    scope.change('billing_invoices', sql<boolean>`(t.accounting_integration_id = ${integration_id} and ${isDue})`, {
      state: 'failed',
      last_error: error.message,
      last_fix: error.fix,
    }),
  )
}

/** The provider asks to wait with all of this connection. It is not a try of theirs. */
async function waitAll({ tenancy }: Pick<Options, 'tenancy'>, caller: Caller, taken: Taken, error: ProviderFailure) {
  const { integration_id } = taken
  if (integration_id === null) return
  const next_try_at = sql`now() + make_interval(secs => ${error.retry_after_s ?? retry_s})`
  await tenancy.enter(caller, 'write', (scope) =>
    scope.change('billing_invoices', sql<boolean>`(t.accounting_integration_id = ${integration_id} and ${isDue})`, {
      next_try_at,
      last_error: jobMessage(error),
    }),
  )
}

/** Seconds until a draft of the run can be tried next; null: none is waiting. */
async function waitOf(scope: Scope, run_id: number): Promise<number | null> {
  const [next] = await scope.run(sql<{ after_s: number | null }>`
    select ceil(extract(epoch from min(greatest(t.next_try_at, t.claimed_until, now())) - now()))::integer as after_s
    from billing_invoices as t
    where t.billing_run_id = ${run_id} and t.state = 'waiting' and ${scope.inReach('billing_invoices', 't')}`)
  return next?.after_s ?? null
}
