// Modal host: draws the dialog that the address names, over whatever screen is open, and closes it again.
import { useRouterState } from '@tanstack/react-router'
import { createContext, lazy, Suspense, useContext, type ComponentType } from 'react'
import { go, here } from '#web/kit/navigation/go.ts'
import { idIn, type Search } from '#web/kit/navigation/search-params.ts'
import { isModal, modals, withoutModal, type ModalIds, type ModalName } from '#web/paths.ts'
import type { Context } from '#contract/shapes.ts'
import { appContext } from '#web/session/context.ts'
import { loadPart } from './chunk-reload.ts'

/** A dialog draws its own frame (`Dialog`, `Drawer`), since each has its own width and buttons. */
export type ModalRoomProps<M extends ModalName> = ModalIds<M> & { close: () => void }

export interface ModalRoom {
  component: ComponentType<{ close: () => void }>
  /** Where it may open. */
  contexts: readonly Context[]
  /** The address that leaving it goes to; default, or undefined: the screen below. */
  leavesTo?: () => string | undefined
}
export type ModalRooms = Record<ModalName, ModalRoom>

/** `room<'invite-user'>(() => import('…').then((m) => m.InviteUser), { contexts })` */
export const modalRoom = <M extends ModalName>(
  load: () => Promise<ComponentType<ModalRoomProps<M>>>,
  rest: Omit<ModalRoom, 'component'>,
): ModalRoom => ({
  ...rest,
  component: lazy(() =>
    loadPart(load).then((component) => ({ default: component as unknown as ComponentType<{ close: () => void }> })),
  ),
})

/** The rooms stand in routes.tsx, above; main.tsx hands them down. */
export const ModalRoomsContext = createContext<ModalRooms | undefined>(undefined)

export function ModalHost() {
  const rooms = useContext(ModalRoomsContext)
  const search = useRouterState({ select: (state) => state.location.search as Search })
  const name = search['modal']
  if (!rooms || !isModal(name)) return null
  const room = rooms[name]
  if (!room.contexts.includes(appContext())) return null
  const ids = Object.fromEntries(modals[name].map((key) => [key, idIn(search[key])]))
  const close = () => go(room.leavesTo?.() ?? withoutModal(here()), { replace: true })
  const Room = room.component
  return (
    <Suspense>
      <Room {...ids} close={close} />
    </Suspense>
  )
}
