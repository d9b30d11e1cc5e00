// Record actions: what those who may do to a whole record from its own page: activate at hand, disable and delete
// in a menu. What takes something away asks first. Stands in the `actions` of a heading, after what is done there most.
import { useState } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import type { MenuItem } from '#web/ui/menu.tsx'
import { MoreMenu } from '#web/ui/more-menu.tsx'
import { disable } from '#web/kit/list/bulk.ts'
import { call } from '#web/kit/call/call.ts'
import { confirmRemoval } from '#web/kit/dialog/confirm.tsx'
import { go } from '#web/kit/navigation/go.ts'
import type { AnyRow } from '#web/kit/list/list-types.ts'
import { tellMissing } from '#web/kit/list/record-kind.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { dropRows, keys, queryClient, showChange } from '#web/kit/call/query-client.ts'
import { singular } from '#web/kit/display/singular.ts'

export interface RecordActionsProps {
  /** The contract module. */
  of: { list: Endpoint; get: Endpoint; activate: Endpoint; deactivate: Endpoint; remove: Endpoint }
  /** Undefined while it loads. */
  record: AnyRow | undefined
  /** In the plural: `properties`. */
  noun: string
  /** Where one is once it is gone. */
  back: string
  /** What goes along with it. */
  consequence: string
  /** Default: Delete. */
  verb?: string
  /** In place of Activate: an invited user is not activated, but invited again. */
  instead?: { label: string; run: () => Promise<unknown> }
}

export function RecordActions({ of, record, noun, back, consequence, verb, instead }: RecordActionsProps) {
  const mayActivate = useMayCall(of.activate)
  const mayDisable = useMayCall(of.deactivate)
  const mayRemove = useMayCall(of.remove)
  const [busy, setBusy] = useState(false)
  if (!record) return null
  const one = singular(noun)
  const name = record.name ?? one
  const attempt = (work: () => Promise<unknown>) => void work().catch(tellMissing)
  /** What does not ask first shows that it is under way. */
  const wait = async (work: () => Promise<unknown>) => {
    setBusy(true)
    await work().finally(() => setBusy(false))
  }
  const activate = async () => {
    const after = await call(of.activate, { id: record.id })
    showChange({ one: of.get.path, list: of.list.path }, record.id, after)
    notify.success(`“${name}” is active`)
  }
  const turnOff = () =>
    disable(of.deactivate, of.activate).run([record], { path: of.list.path, noun, nameOf: () => name })
  const removeIt = async () => {
    if (!(await confirmRemoval(`${verb ?? messages.lists.delete} “${name}”?`, consequence))) return
    await call(of.remove, { id: record.id })
    go(back)
    dropRows(of.list.path, [record.id])
    forget(of.get.path, record.id)
    notify.success(`The ${one} has been ${(verb ?? messages.lists.delete).toLowerCase()}d`)
  }
  const items: MenuItem[] = []
  if (record.status === 'active' && mayDisable)
    items.push({ label: messages.lists.disable, icon: 'disable', onPick: () => attempt(turnOff) })
  if (mayRemove)
    items.push({
      label: verb ?? messages.lists.delete,
      icon: 'delete',
      danger: true,
      onPick: () => attempt(removeIt),
    })
  return (
    <>
      {record.status !== 'active' && mayActivate && (
        <Button busy={busy} onClick={() => attempt(() => wait(instead?.run ?? activate))}>
          {instead?.label ?? 'Activate'}
        </Button>
      )}
      {items.length > 0 && <MoreMenu framed label={`More about this ${one}`} items={items} />}
    </>
  )
}

/** Everything else may have changed with it; but the record itself is not asked for again: it is gone. */
function forget(path: string, id: number) {
  const [kind, of] = keys.one(path, id)
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) =>
      queryKey[0] !== 'list' && !(queryKey[0] === kind && queryKey[1] === of && queryKey[2] === id),
  })
  void queryClient.invalidateQueries({ queryKey: ['list'], refetchType: 'none' })
}
