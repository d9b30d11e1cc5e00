// Bulk: disabling and deleting one or several rows. Both ask for confirmation; what the API can reverse offers Undo.
import type { ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { call, callKind, Refused } from '#web/kit/call/call.ts'
import { forgetRecords, patchRows, invalidateOthers } from '#web/kit/call/query-client.ts'
import { confirm, confirmRemoval } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { wholeOf } from '#web/kit/display/numbers.ts'
import { singular } from '#web/kit/display/singular.ts'
import type { AnyRow, BulkAction } from './list-types.ts'

/** At most this many at once if the API takes one record per call, and at most this many undone: more would take too long. */
const calls_max = 200
const undone_max = 50

/** One call if the API takes ids, else one call per record. Resolves to the ids that were done before the first refusal. */
async function forEach(endpoint: Endpoint, ids: number[]): Promise<{ done: number[]; refused?: unknown }> {
  const ask = (body: object) => callKind<unknown>(endpoint, body)
  const done: number[] = []
  try {
    if (endpoint.takesIds) {
      await ask({ ids })
      return { done: ids }
    }
    for (const id of ids) {
      await ask({ id })
      done.push(id)
    }
    return { done }
  } catch (refused) {
    return { done, refused }
  }
}

/** `Disable “Harbour”?` or `Disable 3 groups?` */
const title = (verb: string, rows: AnyRow[], noun: string, nameOf: (row: AnyRow) => string) =>
  rows.length === 1 && rows[0] ? `${verb} “${nameOf(rows[0])}”?` : `${verb} ${wholeOf(rows.length)} ${noun}?`

/** `1 group` or `3 groups`; `noun` is the plural. */
const counted = (ids: number[], noun: string) => `${wholeOf(ids.length)} ${ids.length === 1 ? singular(noun) : noun}`

/** What disabling means, and what is said besides. */
interface Means {
  means: string
  besides?: ((rows: AnyRow[]) => ReactNode) | undefined
}

/** Disable. With an endpoint that activates one, it can be undone while the notice is shown. */
export const disable = (deactivate: Endpoint, { means, besides }: Means, activate?: Endpoint): BulkAction => ({
  label: messages.lists.disable,
  icon: 'disable',
  run: async (rows, { path, noun, nameOf }) => {
    const yes = await confirm({
      title: title(messages.lists.disable, rows, noun, nameOf),
      description: `${means} This can be taken back at any time.`,
      besides: besides?.(rows),
      accept: messages.lists.disable,
    })
    if (!yes) return false
    const ids = rows.map((row) => row.id)
    await call(deactivate, { ids })
    patchRows(path, ids, { status: 'disabled', active: false })
    invalidateOthers()
    const wereActive = rows.filter((row) => row.status === 'active').map((row) => row.id)
    const undo = async (endpoint: Endpoint) => {
      const { done, refused } = await forEach(endpoint, wereActive)
      patchRows(path, done, { status: 'active', active: true })
      invalidateOthers()
      if (refused) notify.failure(refused)
    }
    notify.success(
      `${counted(ids, noun)} disabled`,
      activate && wereActive.length > 0 && wereActive.length <= undone_max
        ? { label: 'Undo', onPick: () => void undo(activate) }
        : undefined,
    )
    return true
  },
})

/** Delete: cannot be undone, so the confirmation says what will be lost. */
export const remove = (
  endpoint: Endpoint,
  consequence: string | ((rows: AnyRow[]) => string) = 'This cannot be undone.',
  besides?: (rows: AnyRow[]) => ReactNode,
): BulkAction => ({
  label: messages.lists.delete,
  icon: 'delete',
  danger: true,
  ...(endpoint.takesIds ? {} : { rows_max: calls_max }),
  run: async (rows, { path, noun, nameOf }) => {
    const description = typeof consequence === 'string' ? consequence : consequence(rows)
    const asked = title(messages.lists.delete, rows, noun, nameOf)
    if (!(await confirmRemoval(asked, description, besides?.(rows)))) return false
    const { done, refused } = await forEach(
      endpoint,
      rows.map((row) => row.id),
    )
    if (done.length > 0) forgetRecords(path, done)
    if (refused !== undefined) {
      const at = rows[done.length]
      if (refused instanceof Refused && at && rows.length > 1) notify.error(`${nameOf(at)}: ${refused.message}`)
      else notify.failure(refused)
      return done.length > 0
    }
    notify.success(`${counted(done, noun)} deleted`)
    return true
  },
})
