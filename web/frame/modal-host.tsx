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
export type ModalScreenProps<M extends ModalName> = ModalIds<M> & { close: () => void }

export interface ModalScreen {
  component: ComponentType<{ close: () => void }>
  /** Where it may open. */
  contexts: readonly Context[]
  /** The address that leaving it goes to; default, or undefined: the screen below. */
  leavesTo?: () => string | undefined
}
export type ModalScreens = Record<ModalName, ModalScreen>

/** `screen<'invite-user'>(() => import('…').then((m) => m.InviteUser), { contexts })` */
export const modalScreen = <M extends ModalName>(
  load: () => Promise<ComponentType<ModalScreenProps<M>>>,
  rest: Omit<ModalScreen, 'component'>,
): ModalScreen => ({
  ...rest,
  component: lazy(() =>
    loadPart(load).then((component) => ({ default: component as unknown as ComponentType<{ close: () => void }> })),
  ),
})

/** The screens stand in routes.tsx, above; main.tsx hands them down. */
export const ModalScreensContext = createContext<ModalScreens | undefined>(undefined)

export function ModalHost() {
  const screens = useContext(ModalScreensContext)
  const search = useRouterState({ select: (state) => state.location.search as Search })
  const name = search['modal']
  if (!screens || !isModal(name)) return null
  const screen = screens[name]
  if (!screen.contexts.includes(appContext())) return null
  const ids = Object.fromEntries(modals[name].map((key) => [key, idIn(search[key])]))
  const close = () => go(screen.leavesTo?.() ?? withoutModal(here()), { replace: true })
  const Screen = screen.component
  return (
    <Suspense>
      <Screen {...ids} close={close} />
    </Suspense>
  )
}
