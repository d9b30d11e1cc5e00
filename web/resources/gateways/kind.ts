// Gateway kind: what can be done with one gateway, in its row and on its page.
import type { RowOf } from '#contract/endpoint.ts'
import * as gateways from '#contract/gateways.ts'
import { messages } from '#contract/messages.ts'
import { call } from '#web/kit/call/call.ts'
import { showChange, staleOthers } from '#web/kit/call/query-client.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { to } from '#web/paths.ts'
import { mayCall } from '#web/session/may.ts'

export type Gateway = RowOf<typeof gateways.list>

/** The state that was seen decides, and not a toggle: somebody else may have pressed it a moment ago. */
async function setActive({ id, name }: Gateway, active: boolean) {
  const stops = {
    title: `${messages.lists.disable} “${name}”?`,
    description: 'Nobody new gets online through it. You can activate it again at any time.',
    accept: messages.lists.disable,
  }
  if (!active && !(await confirm(stops))) return
  try {
    const after = await call(gateways.update, { id, active })
    showChange({ one: gateways.get.path, list: gateways.list.path }, id, after)
    staleOthers()
    notify.success(`“${name}” is ${active ? messages.status.active : messages.status.disabled}`)
  } catch (error) {
    notify.failure(error)
  }
}

export const gatewayKind: RecordKind<Gateway> = {
  of: { list: gateways.list, get: gateways.get, remove: gateways.remove },
  noun: 'gateways',
  nameOf: (gateway) => gateway.name,
  href: (gateway) => to.gateway(gateway.id),
  edit: (gateway) => to.gateway(gateway.id, 'details'),
  own: (gateway) => {
    if (!mayCall(gateways.update)) return []
    return gateway.status === 'active'
      ? [{ label: messages.lists.disable, icon: 'disable', onPick: () => void setActive(gateway, false) }]
      : [{ label: 'Activate', icon: 'activate', onPick: () => void setActive(gateway, true) }]
  },
  consequence: 'Nobody gets online through it any more. This cannot be undone.',
}
