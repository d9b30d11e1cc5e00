// Push: the due work that makes the drafts of a run in the books of an accounting provider, for a customer one after the other.
//
// The result of a call is unknown if its answer was lost or the node died. So each draft is marked before the call as possibly
// accepted, and such drafts are looked up by their reference before they are sent again, with the same key and content.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import type { Caller } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { keepDrafts, planDrafts, tryAgain, type Planned } from '#server/billing/drafts.ts'
import { mergers } from '#server/billing/merged-contacts.ts'
import { whyLost, type AskedFor } from '#server/access/present-rights.ts'
import {
  dropDue,
  dueKind,
  forThreeDays,
  queueDue,
  TriedInVain,
  type DueWork,
  type Failed,
  type Held,
  type Settle,
} from '#server/due/due-work.ts'
import { clash } from '#server/errors/refused.ts'
import type { Queue } from '#server/jobs/queue.ts'
import { keptConnection, syncAccounting } from './accounting.ts'
import type { Draft, Drafted, DraftKind } from './accounting-provider.ts'
import { contactLabel } from './contact-name.ts'
import type { Integrations } from './integrations.ts'
import { accounting } from '#server/connections/accounting/kind.ts'
import { ProviderFailure, jobMessage } from '#server/connections/provider.ts'
import { recordFailure } from '#server/connections/state.ts'

interface Options {
  tenancy: Tenancy
  integrations: Integrations
}

/** About a draft: it is made in the books. */
export const draftKind = dueKind('draft')

/** The first wait after a failure. */
const retry_s = 30
/** Longer than a look-up and a call can take, each with a renewed token. Nodes of the release before look at it. */
const claim_s = 240

/** Has the drafts of a run made that wait for it. Those that are planned anew are none any more. */
export async function queueDrafts(
  scope: Scope,
  queue: Pick<Queue, 'send'>,
  run_id: number,
  gone: readonly number[] = [],
) {
  await dropDue(scope, draftKind, gone)
  const waiting = await scope.run(sql<{ about_id: number; lane: string | null; is_unsure: boolean }>`
    select t.id as about_id, 'accounting ' || t.accounting_integration_id as lane, t.is_unsure from billing_invoices as t
    where t.billing_run_id = ${run_id} and t.state = 'waiting' and ${scope.inReach('billing_invoices', 't')} order by t.id`)
  await queueDue(
    scope,
    queue,
    draftKind,
    waiting.map((draft) => ({ ...draft, urgent: true })),
  )
}

/** Has all of a run made that is not sent, with the contacts and settings of now. Returns what was planned anew. */
export async function sendRun(scope: Scope, queue: Pick<Queue, 'send'>, run_id: number): Promise<Planned[]> {
  const gone = await tryAgain(scope, run_id)
  const planned = await planDrafts(scope, run_id)
  await keepDrafts(scope, run_id, planned)
  await queueDrafts(scope, queue, run_id, gone)
  return planned
}

export const no_longer_connected =
  'The organisation that this run was sent to is no longer connected. Connect it, then try again.'

/** Sends the runs of failed drafts again. Refused where a draft is none any more by that, or stays as it is: a person has to act first. */
async function sendAgain(scope: Scope, drafts: readonly number[], queue: Pick<Queue, 'send'>) {
  const failed = sql`t.id = any(${drafts}) and t.state = 'failed' and ${scope.inReach('billing_invoices', 't')}`
  const lines = await scope.run(sql<{ id: number; run_id: number }>`
    select l.billing_line_id as id, t.billing_run_id as run_id from billing_invoices as t
    join billing_invoice_lines as l on l.customer_id = t.customer_id and l.billing_invoice_id = t.id
      and ${scope.inReach('billing_invoice_lines', 'l')}
    where ${failed}`)
  const asked = new Set(lines.map(({ id }) => id))
  // Locked against others who send them.
  for (const run_id of await scope.lock('billing_runs', sql`t.id = any(${lines.map((line) => line.run_id)})`)) {
    const planned = await sendRun(scope, queue, run_id)
    const stopped = planned.find(({ obstacle, lines: of }) => obstacle?.stops && of.some(({ id }) => asked.has(id)))
    if (stopped?.obstacle) throw clash(stopped.obstacle.problem)
  }
  const left = await scope.run(sql`select from billing_invoices as t where ${failed}`)
  if (left.length > 0) throw clash(no_longer_connected)
}

interface Taken extends AskedFor {
  id: number
  integration_id: number | null
  integration_type: string | null
  connected_at: string | null
  tenant_id: string
  short_code: string | null
  kind: DraftKind
  currency: string
  dated_on: string
  idempotency_key: string
  account_code: string | null
  tax_type: string | null
  was_unsure: boolean
  lines: { description: string; amount: string }[]
}

async function makeDraft(options: Options, held: Held): Promise<Settle | void> {
  const { about_id, caller } = held
  await readContacts(options, held)
  const taken = await options.tenancy.enter(caller, 'write', (scope) => take(scope, held))
  if (!taken) return
  if ('busy_s' in taken) return () => Promise.resolve({ waits_s: taken.busy_s })
  const drafted = await send(options, caller, taken)
  return (scope) => markSent(scope, about_id, taken.kind, drafted)
}

/**
 * Reads the contacts of the draft's connection, so that recently archived or merged ones are not billed: once since it was queued, and
 * before each further try. Errors are recorded on the connection.
 */
async function readContacts(options: Options, { about_id, caller, created_at, tries }: Held): Promise<void> {
  const [stale] = await options.tenancy.enter(caller, 'read', (scope) =>
    scope.run(sql<ColumnsOf<'accounting_integrations', 'id'>>`
      select i.id from billing_invoices as t join accounting_integrations as i on i.customer_id = t.customer_id
        and i.id = t.accounting_integration_id and ${scope.inReach('accounting_integrations', 'i')}
      where t.id = ${about_id} and t.state = 'waiting' and (${tries} > 1 or coalesce(i.synced_at, '-infinity') < ${created_at})
        and not (i.failures > 0 and exists (select from due_work as d where d.kind = ${accounting.due.name}
          and d.about_id = i.id and d.next_at > now() and ${scope.inReach('due_work', 'd')}))
        and ${scope.inReach('billing_invoices', 't')}`),
  )
  if (stale) await syncAccounting(options, caller.customer_id, stale.id)
}

/** Marks that the draft may have been sent from now on. Null: it is none any more, or has been sent. */
async function take(scope: Scope, { about_id, was_unsure }: Held): Promise<Taken | { busy_s: number } | null> {
  const [next] = await scope.run(sql<{ is_unsure: boolean; busy_s: number }>`
    select t.is_unsure, ceil(extract(epoch from greatest(t.claimed_until, now()) - now()))::integer as busy_s
    from billing_invoices as t where t.id = ${about_id} and t.state = 'waiting' and ${scope.inReach('billing_invoices', 't')}
    for no key update of t`)
  if (!next) return null
  // A node of the release before is sending it.
  if (next.busy_s > 0) return { busy_s: next.busy_s }
  const claimed_until = sql`now() + make_interval(secs => ${claim_s})`
  await scope.change('billing_invoices', [about_id], { claim: randomUUID(), claimed_until, is_unsure: true })
  const [taken] = await scope.run(sql<Omit<Taken, 'was_unsure'>>`
    select t.id, i.id as integration_id, i.integration_type, i.connected_at::text, t.tenant_id, i.short_code, t.kind, t.currency,
      t.dated_on::text, t.idempotency_key, t.account_code, t.tax_type,
      t.asked_by_user_id, t.asked_by_key_id, t.asked_right,
      (select json_agg(json_build_object('description', l.description, 'amount', l.amount::text) order by l.id)
        from billing_invoice_lines as l where l.customer_id = t.customer_id and l.billing_invoice_id = t.id
          and ${scope.inReach('billing_invoice_lines', 'l')}) as lines
    from billing_invoices as t
    left join accounting_integrations as i on i.customer_id = t.customer_id and i.id = t.accounting_integration_id
      and ${scope.inReach('accounting_integrations', 'i')}
    where t.id = ${about_id} and ${scope.inReach('billing_invoices', 't')}`)
  return taken ? { ...taken, was_unsure: next.is_unsure || was_unsure } : null
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
export const pushReference = ({ idempotency_key }: { idempotency_key: string }) =>
  `FOYER-${idempotency_key.replaceAll('-', '').slice(0, 16).toUpperCase()}`

/** What the provider failed by. */
class SendingFailed extends TriedInVain {
  readonly failure: ProviderFailure
  constructor(failure: ProviderFailure, is_sure: boolean) {
    const { failing, retry_after_s, for_all } = failure
    super(failing === 'later' ? jobMessage(failure) : failure.message, {
      hopeless: failing !== 'later',
      retry_after_s,
      is_sure,
      lane: failing === 'reconnect' ? 'fails' : for_all ? 'waits' : undefined,
      cause: failure,
    })
    this.failure = failure
  }
}

async function send({ tenancy, integrations }: Options, caller: Caller, taken: Taken): Promise<Drafted> {
  let is_looked_up = false
  try {
    const { provider, ask } = await connected(tenancy, integrations, caller, taken)
    const books = { tenant_id: taken.tenant_id, short_code: taken.short_code }
    const reference = pushReference(taken)
    const found = taken.was_unsure
      ? (await provider.findDrafts(ask, books, taken.kind, [reference])).get(reference)
      : undefined
    // Failures from here on concern the draft itself.
    is_looked_up = true
    if (found) return found
    const { lost, payer } = await tenancy.enter(caller, 'write', async (scope) => ({
      lost: await whyLost(scope, taken),
      payer: await payerOf(scope, taken.id),
    }))
    if (lost) throw new ProviderFailure('refused', `${lost} Send the run again yourself.`)
    return await provider.makeDraft(ask, books, draftOf(taken, payer))
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    const { integration_id: id, connected_at } = taken
    if (error.failing === 'reconnect' && id !== null)
      await recordFailure(tenancy, caller, { kind: accounting, id, connected_at }, error)
    throw new SendingFailed(error, error.failing !== 'later' && (is_looked_up || !taken.was_unsure))
  }
}

async function connected(tenancy: Tenancy, integrations: Integrations, caller: Caller, taken: Taken) {
  const { integration_id: id, integration_type } = taken
  const kept = id === null ? undefined : await tenancy.enter(caller, 'read', (scope) => keptConnection(scope, id))
  if (!kept || integration_type === null || kept.tenant_id !== taken.tenant_id)
    throw new ProviderFailure('refused', 'This organisation is no longer connected. Connect it, then try again.', {
      fix: 'connection',
    })
  return integrations.accounting.use(caller, kept.id, integration_type)
}

function draftOf(taken: Taken, { contact, contact_name, contact_merged }: Payer): Draft {
  const { kind, dated_on, currency, idempotency_key, account_code, tax_type, lines } = taken
  if (contact === null)
    throw new ProviderFailure(
      'refused',
      'The contact no longer exists. Choose another one for the property, then try again.',
      {
        fix: 'contact',
      },
    )
  if (contact_merged)
    throw new ProviderFailure(
      'refused',
      `${contact_name} was merged into a contact that Foyer does not know. Choose another one for the property, then try again.`,
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
    reference: pushReference(taken),
  }
}

const free = { claim: null, claimed_until: null }
const stillWaiting = (id: number) => sql<boolean>`(t.id = ${id} and t.state = 'waiting')`

async function markSent(
  scope: Scope,
  id: number,
  kind: DraftKind,
  { external_id, number, url, amount, tax, gone }: Drafted,
): Promise<void> {
  const sign = kind === 'credit_note' ? -1 : 1
  await scope.change('billing_invoices', stillWaiting(id), {
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

/** Also for those that wait for the same connection: they have not been tried. */
async function recordFailed(
  scope: Scope,
  { about_id, tries }: Pick<Held, 'about_id' | 'tries'>,
  how: Failed,
): Promise<void> {
  const { as, is_sure, error, last_error } = how
  const failure = error instanceof SendingFailed ? error.failure : undefined
  const columns = { ...free, attempts: tries, ...(is_sure && { is_unsure: false }) }
  const isOver = as !== 'again'
  const isTired = isOver && failure?.failing === 'later'
  await scope.change('billing_invoices', stillWaiting(about_id), {
    ...columns,
    last_error: isTired ? `${failure.message} It was tried ${tries} times: try again later.` : last_error,
    ...(isOver && { state: 'failed', last_fix: failure?.fix }),
  })
}

export const draftWork: DueWork<Options> = {
  kind: draftKind,
  about: (
    scope,
  ) => sql`(select concat_ws(', ', case i.kind when 'invoice' then 'Draft invoice' else 'Draft credit note' end,
      i.property_name, concat(i.amount, ' ', i.currency))
    from billing_invoices as i where i.id = t.about_id and ${scope.inReach('billing_invoices', 'i')})`,
  promise: 'once',
  at_once: 4,
  // Each reads the contacts that the one before has left to it, and providers count the calls of an organisation.
  of_one_customer: 1,
  // Tries at a time given by the provider (Retry-After) do not count.
  ...forThreeDays(retry_s),
  run: makeDraft,
  failed: recordFailed,
  again: sendAgain,
}
