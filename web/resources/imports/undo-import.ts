// Undo import: asks whether to undo an import, explains what will happen, and does it.
import { counted } from '#web/kit/display/numbers.ts'
import type { Output, RowOf } from '#contract/endpoint.ts'
import * as imports from '#contract/imports.ts'
import { messages } from '#contract/messages.ts'
import { call } from '#web/kit/call/call.ts'
import { forgetLists, invalidateOthers } from '#web/kit/call/query-client.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { accountImport, deviceImport, roomImport, type ImportKind } from './kind.ts'

export type ImportRow = RowOf<typeof imports.list>

/** Imports of a portal's zip cannot be undone. */
export const kindOf = (kind: ImportRow['kind']): ImportKind | undefined =>
  ({ accounts: accountImport, devices: deviceImport, rooms: roomImport, portal: undefined })[kind]

const recordsOf = (count: number, { one, many }: ImportKind) => counted(count, one, many)

function consequences(kind: ImportKind, { created, overwritten, moved_out }: Omit<Undone, 'id' | 'file_name'>): string {
  const guests = kind === roomImport ? ', with the guests it brought' : ''
  const sentences = [
    ...(created > 0 ? [`${recordsOf(created, kind)} that it made will be removed${guests}.`] : []),
    ...(overwritten > 0 ? [`${recordsOf(overwritten, kind)} that it overwrote will be restored.`] : []),
    ...(moved_out > 0 ? [`${counted(moved_out, 'guest')} who moved out will be moved back in.`] : []),
    'If any of them has been changed or used since, nothing is undone.',
  ]
  return sentences.join(' ')
}

type Undone = Pick<ImportRow, 'id' | 'file_name' | 'created' | 'overwritten' | 'moved_out'>

/** Returns whether it was done. Throws `Refused`, with what prevents it under `id`. */
export async function undoImport(kind: ImportKind, { id, file_name, ...counts }: Undone): Promise<boolean> {
  const file = file_name ?? kind.many
  const yes = await confirm({
    title: `Undo the import of ${file}?`,
    description: consequences(kind, counts),
    accept: 'Undo the import',
    danger: true,
  })
  if (!yes) return false
  let row: Output<typeof imports.undo> | undefined
  try {
    row = await call(imports.undo, { id })
    notify.success(messages.imports.undone(file))
  } finally {
    // Even without an answer it may have been done.
    forgetLists(kind.list.path)
    forgetLists(imports.list.path)
    invalidateOthers()
  }
  return row !== undefined
}
