// Bulk: what editors do to several rows at once. Each asks first; what the API can take back offers Undo.
import type { Endpoint } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { call, Refused } from '#web/kit/call/call.ts'
import { confirm, confirmRemoval } from '#web/kit/dialog/confirm.tsx'
import type { AnyRow, BulkAction } from './list-types.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { singular } from '#web/kit/display/singular.ts'
import { dropRows, patchRows, staleOthers } from '#web/kit/call/query-client.ts'

const takesIds = (endpoint: Endpoint) => 'shape' in endpoint.input && 'ids' in (endpoint.input.shape as object)

/** One call where the API takes ids, else one call a record. Answers the ids that were done before the first refusal. */
async function forEach(endpoint: Endpoint, ids: number[]): Promise<{ done: number[]; refused?: unknown }> {
  const ask = (body: object) => call(endpoint, body as never)
  const done: number[] = []
  try {
    if (takesIds(endpoint)) {
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
  rows.length === 1 && rows[0] ? `${verb} “${nameOf(rows[0])}”?` : `${verb} ${rows.length} ${noun}?`

/** `1 group disabled`: the noun comes as a plural. */
const counted = (ids: number[], noun: string) => `${ids.length} ${ids.length === 1 ? singular(noun) : noun}`

/** Disable. With the endpoint that activates one, it can be undone while the notice stands. */
export const disable = (deactivate: Endpoint, activate?: Endpoint): BulkAction => ({
  label: messages.lists.disable,
  icon: 'close',
  run: async (rows, { path, noun, nameOf }) => {
    const yes = await confirm({
      title: title(messages.lists.disable, rows, noun, nameOf),
      description: 'Guests cannot use what is disabled. You can activate it again at any time.',
      accept: messages.lists.disable,
    })
    if (!yes) return false
    const ids = rows.map((row) => row.id)
    await call(deactivate, { ids })
    patchRows(path, ids, { status: 'disabled', active: false })
    staleOthers()
    const wereActive = rows.filter((row) => row.status === 'active').map((row) => row.id)
    const undo = async (endpoint: Endpoint) => {
      const { done, refused } = await forEach(endpoint, wereActive)
      patchRows(path, done, { status: 'active', active: true })
      staleOthers()
      if (refused) notify.failure(refused)
    }
    notify.success(
      `${counted(ids, noun)} disabled`,
      activate && wereActive.length > 0 ? { label: 'Undo', onPick: () => void undo(activate) } : undefined,
    )
    return true
  },
})

/** Delete: cannot be undone, so the question names what goes. */
export const remove = (endpoint: Endpoint, consequence = 'This cannot be undone.'): BulkAction => ({
  label: messages.lists.delete,
  icon: 'warning',
  danger: true,
  run: async (rows, { path, noun, nameOf }) => {
    if (!(await confirmRemoval(title(messages.lists.delete, rows, noun, nameOf), consequence))) return false
    const { done, refused } = await forEach(
      endpoint,
      rows.map((row) => row.id),
    )
    if (done.length > 0) {
      dropRows(path, done)
      staleOthers()
    }
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
