// Interface kind: what can be done with one property interface, in its row and on its page.
import type { RowOf } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import * as interfaces from '#contract/property-interfaces.ts'
import { call } from '#web/kit/call/call.ts'
import { showChange } from '#web/kit/call/query-client.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { to } from '#web/paths.ts'
import { mayCall } from '#web/session/may.ts'

export type Interface = RowOf<typeof interfaces.list>

/** By its id alone, as the API has it, and not in bulk. */
async function disable({ id, name }: Interface) {
  const asked = {
    title: `${messages.lists.disable} “${name}”?`,
    description: 'Nothing is exchanged with the other system any more. You can activate it again at any time.',
    accept: messages.lists.disable,
  }
  if (!(await confirm(asked))) return
  try {
    const after = await call(interfaces.deactivate, { id })
    showChange({ one: interfaces.get.path, list: interfaces.list.path }, id, after)
    notify.success(`“${name}” is ${messages.status.disabled}`)
  } catch (error) {
    notify.failure(error)
  }
}

export const interfaceKind: RecordKind<Interface> = {
  of: {
    list: interfaces.list,
    get: interfaces.get,
    update: interfaces.update,
    activate: interfaces.activate,
    remove: interfaces.remove,
  },
  noun: 'property interfaces',
  nameOf: (one) => one.name,
  href: (one) => to.propertyInterface(one.id),
  edit: (one) => to.propertyInterface(one.id, 'details'),
  own: (one) =>
    one.status === 'active' && mayCall(interfaces.deactivate)
      ? [{ label: messages.lists.disable, icon: 'disable', onPick: () => disable(one) }]
      : [],
  consequence:
    'Nothing is exchanged with the other system any more, and its credentials are forgotten. This cannot be undone.',
}
