// Portal kind: what can be done with one portal: preview it, copy its address, duplicate it, import its pages.
import type { RowOf } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import * as customPortals from '#contract/custom-portals.ts'
import * as portals from '#contract/portals.ts'
import { call, Refused } from '#web/kit/call/call.ts'
import { madeOnce } from '#web/kit/call/idempotency.ts'
import { forgetLists, invalidateOthers } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { copy } from '#web/kit/made/copy.ts'
import { go, here, linkItem } from '#web/kit/navigation/go.ts'
import { to, withModal } from '#web/paths.ts'
import { mayCall } from '#web/session/may.ts'

export type PortalRow = RowOf<typeof portals.list>

const isCustom = ({ portal_type_id }: PortalRow) => portal_type_id === portals.portalTypes.custom

async function copyAddress(url: string) {
  try {
    await copy(url)
    notify.success("The guests' address has been copied")
  } catch {
    notify.error('This browser blocked copying. Copy the address by hand')
  }
}

const copies_max = 20
const name_length_max = 255

/** `Harbour copy`, `Harbour copy 2`; shortened to the maximal length of a name. */
const copyName = (name: string, number: number) => {
  const end = number === 1 ? ' copy' : ` copy ${number}`
  return name.slice(0, name_length_max - end.length) + end
}

const isTaken = (error: unknown) =>
  error instanceof Refused && (error.errors['name'] ?? error.errors['slug'])?.includes(messages.portal.exists)

/** Tries the next name while one is taken. */
async function duplicate({ id, name }: PortalRow) {
  for (let number = 1; ; number++)
    try {
      const copy_name = copyName(name, number)
      const made = await madeOnce(`${portals.duplicate.path} ${id} ${copy_name}`, (idempotencyKey) =>
        call(portals.duplicate, { id, name: copy_name }, { idempotencyKey }),
      )
      forgetLists(portals.list.path)
      invalidateOthers()
      notify.success(`“${made.name}” has been made, as a draft`, {
        label: 'Open',
        onPick: () => go(to.portal(made.id)),
      })
      return
    } catch (error) {
      if (!isTaken(error) || number === copies_max) throw error
    }
}

const importPages = ({ id }: PortalRow) => go(withModal(here(), 'import-portal', { portal_id: id }))

export const portalKind: RecordKind<PortalRow> = {
  of: portals,
  asks: [portals.versions, portals.version],
  noun: 'portals',
  nameOf: (portal) => portal.name,
  href: (portal) => to.portal(portal.id),
  own: (portal) => [
    linkItem({
      label: 'Preview',
      icon: 'look',
      href: withModal(here(), 'portal-preview', { portal_id: portal.id }),
    }),
    { label: 'Copy guest address', icon: 'link', onPick: () => copyAddress(portal.url) },
    ...(mayCall(portals.duplicate)
      ? [{ label: 'Duplicate', icon: 'copy' as const, onPick: () => duplicate(portal) }]
      : []),
    ...(mayCall(customPortals.updateCustom) && isCustom(portal)
      ? [{ label: 'Import pages', icon: 'upload' as const, onPick: () => importPages(portal) }]
      : []),
  ],
  whenDisabled: 'Guests of its properties are told that there is no page.',
  consequence: 'This cannot be undone. A portal that a property or a group still uses cannot be deleted.',
}
