// Record actions: what can be done to a whole record on its own page: activating as a button, the rest in a menu. Disabling and
// deleting ask for confirmation. For the `actions` of a heading, after the most common ones.
import { messages } from '#contract/messages.ts'
import { Button } from '#web/ui/button.tsx'
import type { MenuItem } from '#web/ui/menu.tsx'
import { MoreMenu } from '#web/ui/more-menu.tsx'
import { call } from '#web/kit/call/call.ts'
import { confirmRemoval } from '#web/kit/dialog/confirm.tsx'
import { go } from '#web/kit/navigation/go.ts'
import type { AnyRow } from '#web/kit/list/list-types.ts'
import { changeItems, deletionOf, type RecordKind } from '#web/kit/list/record-kind.ts'
import { useWatched } from '#web/kit/list/use-watched.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { forgetRecords } from '#web/kit/call/query-client.ts'
import { singular } from '#web/kit/display/singular.ts'

export interface RecordActionsProps<R extends AnyRow> {
  kind: RecordKind<R>
  /** Undefined while it loads. */
  record: R | undefined
  /** Where to go after it is deleted. */
  back: string
}

export function RecordActions<R extends AnyRow>({ kind, record, back }: RecordActionsProps<R>) {
  const { busy, watched } = useWatched()
  if (!record) return null
  const one = singular(kind.noun)
  const deletion = deletionOf(kind, [record])
  const removeIt = async ({ endpoint, consequence, besides }: NonNullable<typeof deletion>) => {
    const asked = `${messages.lists.delete} “${kind.nameOf(record)}”?`
    if (!(await confirmRemoval(asked, consequence, besides))) return
    await call(endpoint, { id: record.id })
    // The page of the record is left before the record is removed from the cache.
    go(back, { unasked: true })
    const own = [...(kind.of.get ? [kind.of.get] : []), ...(kind.asks ?? [])]
    forgetRecords(
      kind.of.list.path,
      [record.id],
      own.map(({ path }) => path),
    )
    notify.success(`The ${one} has been deleted`)
  }
  const { atHand, others } = sorted(kind, record)
  const items = [
    ...others,
    ...(deletion
      ? [{ label: messages.lists.delete, icon: 'delete' as const, danger: true, onPick: () => removeIt(deletion) }]
      : []),
  ].map(watched)
  return (
    <>
      {atHand.map(watched).map((item) => (
        <Button key={item.label} busy={busy} onClick={() => void item.onPick()}>
          {item.label}
        </Button>
      ))}
      {items.length > 0 && <MoreMenu framed label={`More about this ${one}`} items={items} />}
    </>
  )
}

/** Activating is what a user usually wants, so it is a button; disabling is rare. Deleting has its own way on a page. */
function sorted<R extends AnyRow>(kind: RecordKind<R>, record: R) {
  const changes = changeItems(kind, record).filter(({ danger }) => !danger)
  const isDisabling = (item: MenuItem) => item.label === messages.lists.disable
  return { atHand: changes.filter((item) => !isDisabling(item)), others: changes.filter(isDisabling) }
}
