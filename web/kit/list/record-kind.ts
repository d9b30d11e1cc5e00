// Record kind: what a kind of record is called, where it opens, and what can be done with it: defined once for the menu of its row,
// that of its own page, and the bulk bar.
//
//   export const packageKind: RecordKind<Package> = {
//     of: packages, noun: 'packages', nameOf: (pack) => pack.name, href: (pack) => to.package(pack.id),
//     consequence: 'This cannot be undone.',
//   }
import type { ReactNode } from 'react'
import { refusals } from '#contract/errors.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { labelOf, type Fields } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
import { call, Refused } from '#web/kit/call/call.ts'
import { showChange } from '#web/kit/call/query-client.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { linkItem } from '#web/kit/navigation/go.ts'
import { mayCall } from '#web/session/may.ts'
import type { MenuItem } from '#web/ui/menu.tsx'
import { disable, remove } from './bulk.ts'
import type { AnyRow, BulkAction, On } from './list-types.ts'

export interface RecordKind<R extends AnyRow> {
  /** The contract's module; actions without an endpoint are not offered. */
  of: {
    list: Endpoint
    get?: Endpoint
    update?: Endpoint
    activate?: Endpoint
    /** If it takes only one id, it is not offered as a bulk action. */
    deactivate?: Endpoint
    remove?: Endpoint
    exportList?: Endpoint
    fields?: Fields
  }
  /** What else its own page asks about it by its id. */
  asks?: readonly Endpoint[]
  /** In the plural: `voucher batches`. */
  noun: string
  nameOf: (row: R) => string
  /** The field by which typing searches the loaded rows; default `name`. */
  searchKey?: keyof R & string
  /** The order of its lists until the user chooses another; default: the newest first. */
  sort?: string
  /** The address of a record; undefined for those that have no page. */
  href?: (row: R) => string | undefined
  /** Where it is edited, if that is not where it opens. */
  edit?: (row: R) => string
  /** Whether an inactive record can be activated; default: yes. */
  activates?: (row: R) => boolean
  /** The consequence of disabling; default: `Guests cannot use what is disabled.` */
  whenDisabled?: string
  /** The consequence of deleting one or several. */
  consequence: string | ((rows: R[]) => string)
  /** What is said besides, below either consequence. */
  besides?: (rows: R[]) => ReactNode
  /** How often its visible lists are refreshed, for records that change by themselves. */
  live_ms?: number
  /** Further menu items; include each only for users who may: `mayCall(packages.duplicate)`. */
  own?: (row: R) => MenuItem[]
}

const onOf = <R extends AnyRow>(kind: RecordKind<R>): On => ({
  path: kind.of.list.path,
  noun: kind.noun,
  nameOf: (row) => kind.nameOf(row as R),
})

const whenDisabledOf = <R extends AnyRow>(kind: RecordKind<R>) =>
  kind.whenDisabled ?? 'Guests cannot use what is disabled.'

/** Of rows of this kind, which a list hands over as any. */
const besidesOf = <R extends AnyRow>({ besides }: RecordKind<R>) =>
  besides && ((rows: AnyRow[]) => besides(rows as R[]))

const disabling = <R extends AnyRow>(kind: RecordKind<R>, deactivate: Endpoint): BulkAction =>
  disable(deactivate, { means: whenDisabledOf(kind), besides: besidesOf(kind) }, kind.of.activate)

const deletion = <R extends AnyRow>(kind: RecordKind<R>, endpoint: Endpoint): BulkAction =>
  remove(
    endpoint,
    typeof kind.consequence === 'string'
      ? kind.consequence
      : (rows) => (kind.consequence as (rows: R[]) => string)(rows as R[]),
    besidesOf(kind),
  )

/** The call that deletes these records, with its consequence; undefined for users who may not. */
export function deletionOf<R extends AnyRow>(kind: RecordKind<R>, rows: R[]) {
  const { remove: endpoint } = kind.of
  if (!endpoint || !mayCall(endpoint)) return undefined
  const consequence = typeof kind.consequence === 'string' ? kind.consequence : kind.consequence(rows)
  return { endpoint, consequence, besides: kind.besides?.(rows) }
}

/** The bulk actions that this user may use. */
export function bulkActions<R extends AnyRow>(kind: RecordKind<R>): BulkAction[] {
  const { deactivate, remove: removal } = kind.of
  return [
    ...(deactivate?.takesIds && mayCall(deactivate) ? [disabling(kind, deactivate)] : []),
    ...(removal && mayCall(removal) ? [deletion(kind, removal)] : []),
  ]
}

async function activate<R extends AnyRow>(kind: RecordKind<R>, endpoint: Endpoint, row: R) {
  try {
    const after = await call(endpoint, { id: row.id })
    showChange({ list: kind.of.list.path, ...(kind.of.get ? { one: kind.of.get.path } : {}) }, row.id, after)
    notify.success(`“${kind.nameOf(row)}” is active`)
  } catch (error) {
    notifyMissing(error, kind.of.fields)
  }
}

/** Explicitly deactivates instead of toggling: somebody else may have done it a moment ago. */
async function deactivateOne<R extends AnyRow>(kind: RecordKind<R>, endpoint: Endpoint, row: R) {
  const asked = {
    title: `${messages.lists.disable} “${kind.nameOf(row)}”?`,
    description: `${whenDisabledOf(kind)} You can activate it again at any time.`,
    accept: messages.lists.disable,
    besides: kind.besides?.([row]),
  }
  if (!(await confirm(asked))) return
  try {
    const after = await call(endpoint, { id: row.id })
    showChange({ list: kind.of.list.path, ...(kind.of.get ? { one: kind.of.get.path } : {}) }, row.id, after)
    notify.success(`“${kind.nameOf(row)}” is ${messages.status.disabled}`)
  } catch (error) {
    notify.failure(error)
  }
}

/** An incomplete draft is refused with errors by field; no fields are shown here, so the notice names them. */
function notifyMissing(error: unknown, fields: Fields | undefined) {
  if (!(error instanceof Refused) || error.status !== refusals.invalid.status) return notify.failure(error)
  const missing = Object.entries(error.errors).flatMap(([field, sentences]) =>
    sentences.includes(messages.fields.required) ? [labelOf(field, fields).toLowerCase()] : [],
  )
  if (missing.length === 0) return notify.failure(error)
  notify.error(`Before it can be activated, fill in: ${missing.join(', ')}`)
}

async function copyLink(href: string) {
  try {
    await navigator.clipboard.writeText(new URL(href, location.origin).href)
    notify.success('The link has been copied')
  } catch {
    notify.error('This browser blocked copying. Copy the link by hand')
  }
}

/** Activating, disabling and deleting: the end of every record's menu. */
export function changeItems<R extends AnyRow>(kind: RecordKind<R>, row: R): MenuItem[] {
  const { activate: turnOn, deactivate, remove: removal } = kind.of
  const items: MenuItem[] = []
  if (row.status === 'active' && deactivate && mayCall(deactivate))
    items.push({
      label: messages.lists.disable,
      icon: 'disable',
      onPick: () =>
        deactivate.takesIds ? disabling(kind, deactivate).run([row], onOf(kind)) : deactivateOne(kind, deactivate, row),
    })
  if (
    row.status !== undefined &&
    row.status !== 'active' &&
    turnOn &&
    mayCall(turnOn) &&
    (kind.activates?.(row) ?? true)
  )
    items.push({ label: 'Activate', icon: 'activate', onPick: () => activate(kind, turnOn, row) })
  if (removal && mayCall(removal))
    items.push({
      label: messages.lists.delete,
      icon: 'delete',
      danger: true,
      onPick: () => deletion(kind, removal).run([row], onOf(kind)),
    })
  return items
}

/** The whole menu of a row. Navigation items are links. */
export function recordItems<R extends AnyRow>(kind: RecordKind<R>, row: R): MenuItem[] {
  const href = kind.href?.(row)
  const edit = kind.of.update && mayCall(kind.of.update) ? kind.edit?.(row) : undefined
  const changes = changeItems(kind, row)
  return [
    ...(href ? [linkItem({ label: 'Open', icon: 'forward', href })] : []),
    ...(edit ? [linkItem({ label: 'Edit', icon: 'edit', href: edit })] : []),
    ...(kind.own?.(row) ?? []),
    ...(href ? [{ label: 'Copy link', icon: 'link' as const, onPick: () => copyLink(href) }] : []),
    ...changes.map((item, index) => (index === 0 ? { ...item, apart: true } : item)),
  ]
}
