// Billing calls: saving a draft, recalculating it, approving it, deleting it, pushing it to the books, and the statement as a file.
import * as invoices from '#contract/billing-invoices.ts'
import * as billing from '#contract/billing-runs.ts'
import type { Input } from '#contract/endpoint.ts'
import { call, fetchFile, save } from '#web/kit/call/call.ts'
import { freshKey } from '#web/kit/call/idempotency.ts'
import {
  invalidateQuery,
  forgetLists,
  forgetRecords,
  keys,
  showChange,
  invalidateOthers,
} from '#web/kit/call/query-client.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { go } from '#web/kit/navigation/go.ts'
import { to } from '#web/paths.ts'
import { totalsText } from '#web/kit/display/amounts.ts'
import { type BillingRun, type OneRun } from './words.tsx'

/** Shows the run that a call returned, and reloads its lines and nights. */
function show(run: OneRun) {
  showChange({ one: billing.getRun.path, list: billing.runList.path }, run.id, run)
  forgetLists(billing.lineList.path)
  forgetLists(billing.billedNightList.path)
}

/** Returns whether it succeeded. A refusal means that the run has changed in the meantime, so it is loaded again. */
async function attempt(id: number, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    notify.failure(error)
    void invalidateQuery(keys.one(billing.getRun.path, id))
    return false
  }
}

export async function saveDraft(ask: Input<typeof billing.createRun>): Promise<void> {
  try {
    const run = await call(billing.createRun, ask, { idempotencyKey: freshKey() })
    forgetLists(billing.runList.path)
    invalidateOthers()
    show(run)
    notify.success(`“${run.name}” has been saved as a draft`)
    go(to.billingRun(run.id), { replace: true })
  } catch (error) {
    notify.failure(error)
  }
}

export const recalculate = ({ id, name }: BillingRun) =>
  attempt(id, async () => {
    show(await call(billing.redraftRun, { id }))
    notify.success(`“${name}” has been recalculated`)
  })

export async function approve(run: OneRun): Promise<void> {
  const asked = {
    title: `Approve “${run.name}”?`,
    description:
      `${totalsText(run.totals)} for ${run.properties === 1 ? 'one property' : `${run.properties} properties`}. ` +
      'An approved run is frozen: its nights are not billed again, and later corrections go on the next bill.',
    accept: 'Approve',
  }
  if (!(await confirm(asked))) return
  await attempt(run.id, async () => {
    show(await call(billing.approveRun, { id: run.id, mark: run.mark }))
    notify.success(`“${run.name}” is approved`)
  })
}

interface Pushed {
  name: string
  label: string
  ready: readonly { currency: string; amount: string; amount_expected: string }[]
  failed: number
  /** The number of drafts that cannot be sent yet. */
  left: number
}
const drafts = (count: number) => (count === 1 ? 'one draft' : `${count} drafts`)

export async function push(run: OneRun, { name, label, ready, failed, left }: Pushed): Promise<void> {
  const differing = ready.filter(({ amount, amount_expected }) => amount !== amount_expected).length
  const asked = {
    title: ready.length === 0 ? `Try ${drafts(failed)} again?` : `Push ${drafts(ready.length + failed)} to ${name}?`,
    description: [
      `Nothing is sent to a contact: your bookkeeper checks the drafts in ${name} and approves them there.`,
      differing > 0 && `${name} rounds ${drafts(differing)} to another amount than ours.`,
      left > 0 && `${left} cannot be sent yet, and can be pushed later.`,
    ]
      .filter((sentence) => sentence !== false)
      .join(' '),
    accept: label,
  }
  if (!(await confirm(asked))) return
  await attempt(run.id, async () => {
    show(await call(invoices.push, { id: run.id }))
    notify.success(`“${run.name}” is on its way to ${name}`)
  })
}

/** Asks the books which drafts still exist there. */
export const checkBooks = (run: OneRun, name: string) =>
  attempt(run.id, async () => {
    const checked = await call(invoices.check, { id: run.id })
    show(checked)
    const found = checked.drafts.gone - run.drafts.gone
    if (found > 0) notify.success(`${found === 1 ? 'One draft is' : `${found} drafts are`} not in ${name} any more`)
    else notify.success(run.drafts.sent === 1 ? `The draft is in ${name}` : `All drafts are in ${name}`)
  })

export async function renewDrafts(run: OneRun, name: string): Promise<void> {
  const { gone } = run.drafts
  const asked = {
    title: gone === 1 ? 'Make the draft again?' : `Make ${drafts(gone)} again?`,
    description:
      `${name} says that ${gone === 1 ? 'it was' : 'they were'} deleted or voided. If somebody has entered the bill there by hand ` +
      'meanwhile, it would be there twice. The former drafts stay in this list.',
    accept: 'Make again',
  }
  if (!(await confirm(asked))) return
  await attempt(run.id, async () => {
    show(await call(invoices.push, { id: run.id, renew: true }))
    notify.success(`“${run.name}” is on its way to ${name}`)
  })
}

export async function deleteDraft({ id, name }: BillingRun): Promise<void> {
  const asked = {
    title: `Delete the draft “${name}”?`,
    description: 'Its nights stay in the ledger and can be billed at any time.',
    accept: 'Delete draft',
    danger: true,
  }
  if (!(await confirm(asked))) return
  await attempt(id, async () => {
    await call(billing.removeRun, { id })
    forgetRecords(billing.runList.path, [id], [billing.getRun.path])
    notify.success(`The draft “${name}” is deleted`)
    go(to.billing(), { replace: true })
  })
}

type Format = Exclude<Input<typeof billing.exportRun>['format'], undefined>
/** `of`: only the lines of this property. */
export const takeStatement = (
  { id, name }: Pick<BillingRun, 'id' | 'name'>,
  format: Format,
  of?: { id: number; name: string },
) =>
  attempt(id, async () => {
    const title = ['Statement', ...(of ? [of.name] : []), name].join(' ')
    const ask = { id, format, ...(of ? { property_id: of.id } : {}) }
    const file = await fetchFile(billing.exportRun, ask, `${title}.${format}`)
    save(file)
    notify.success(`${file.name} has been saved`)
  })
