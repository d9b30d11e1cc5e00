// Modal host: draws the dialog that the address names, over the open screen, and closes it again. A dialog that breaks is
// replaced by one that says so; the screen below it stays.
import { isNotFound } from '@tanstack/react-router'
import { createContext, Suspense, useContext, type ComponentType } from 'react'
import { messages } from '#contract/messages.ts'
import { Refused, sentenceOf } from '#web/kit/call/call.ts'
import { Boundary } from '#web/kit/display/boundary.tsx'
import { DialogKeys } from '#web/kit/navigation/dialog-keys.ts'
import { go, here } from '#web/kit/navigation/go.ts'
import { useScreenPath, useScreenSearch } from '#web/kit/navigation/screen-search.ts'
import { idIn } from '#web/kit/navigation/search-params.ts'
import { isModal, modalKeys, withoutModal, type ModalIds, type ModalName } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { PlainDialog } from '#web/ui/plain-dialog.tsx'
import { EmptyState } from '#web/ui/state.tsx'
import type { Context } from '#contract/shapes.ts'
import { appContext } from '#web/session/context.ts'
import { say } from '#web/words/frame.ts'
import { tryAgain } from './chunk-reload.ts'
import { lazyPart } from './lazy-part.tsx'

/** A dialog draws its own frame (`Dialog`, `Drawer`), since each has its own width and buttons. */
export type ModalScreenProps<M extends ModalName> = ModalIds<M> & { close: () => void }

export interface ModalScreen {
  component: ComponentType<{ close: () => void }>
  /** Where it may open. */
  contexts: readonly Context[]
  /** The address to open when it is closed; default, or undefined: the screen below. */
  leavesTo?: () => string | undefined
}
export type ModalScreens = Record<ModalName, ModalScreen>

/** `screen<'invite-user'>(() => import('…').then((m) => m.InviteUser), { contexts })` */
export const modalScreen = <M extends ModalName>(
  load: () => Promise<ComponentType<ModalScreenProps<M>>>,
  rest: Omit<ModalScreen, 'component'>,
): ModalScreen => ({
  ...rest,
  component: lazyPart(load) as unknown as ComponentType<{ close: () => void }>,
})

/** The dialogs are listed in routes.tsx, a layer above; main.tsx passes them down. */
export const ModalScreensContext = createContext<ModalScreens | undefined>(undefined)

export function ModalHost() {
  const screens = useContext(ModalScreensContext)
  const search = useScreenSearch()
  const pathname = useScreenPath()
  const name = search['modal']
  if (!screens || !isModal(name)) return null
  const screen = screens[name]
  if (!screen.contexts.includes(appContext())) return null
  const keys = modalKeys(name, pathname)
  const ids = Object.fromEntries(keys.map((key) => [key, idIn(search[key])]))
  const close = () => go(screen.leavesTo?.() ?? withoutModal(here()), { replace: true })
  const Screen = screen.component
  return (
    <Boundary
      key={name + JSON.stringify(ids)}
      instead={(error, retry) => <Broken error={error} retry={retry} close={close} />}
    >
      <Suspense>
        <DialogKeys value={['modal', ...keys]}>
          <Screen {...ids} close={close} />
        </DialogKeys>
      </Suspense>
    </Boundary>
  )
}

function Broken({ error, retry, close }: { error: unknown; retry: () => void; close: () => void }) {
  const missing = isNotFound(error)
  const refused = error instanceof Refused
  return (
    <PlainDialog title={messages.errorPages.failed} onClose={close}>
      <EmptyState
        icon={missing ? 'search' : 'warning'}
        title={missing ? messages.errorPages.routeNotFound : refused ? say('not-loaded') : messages.errorPages.error}
        action={
          <>
            {!missing && (
              <Button kind="primary" icon="refresh" first onClick={() => tryAgain(error, retry)}>
                {say('try-again')}
              </Button>
            )}
            <Button onClick={close}>{say('close')}</Button>
          </>
        }
      >
        {refused && sentenceOf(error)}
      </EmptyState>
    </PlainDialog>
  )
}
