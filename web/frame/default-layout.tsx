// Default layout: header and screen for signed-in users; card and footer for everyone else.
import { Outlet, useRouterState } from '@tanstack/react-router'
import { useLayoutEffect } from 'react'
import { session, useSession } from '#web/session/session.ts'
import { watchContentWidth } from '#web/ui/content-width.ts'
import { say } from '#web/words/frame.ts'
import { Announcer } from './announcer.tsx'
import { Header } from './header.tsx'
import { LinesAbove } from './lines-above.tsx'
import { ModalHost } from './modal-host.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { Splash } from './splash.tsx'
import styles from './default-layout.module.css'

/** Drawn only once the app is ready, which is set on mount and on every change of route. */
export function useReady(): boolean {
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  useLayoutEffect(() => session.setReady(true), [pathname])
  return useSession().ready
}

export function DefaultLayout() {
  const ready = useReady()
  const { user } = useSession()
  if (!user) return <Splash />
  if (!ready)
    return (
      <div className={styles.frame}>
        <main ref={watchContentWidth} className={styles.main} />
      </div>
    )
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#main">
        {say('menu.skip')}
      </a>
      <Header />
      <main ref={watchContentWidth} id="main" className={styles.main} tabIndex={-1}>
        <LinesAbove user={user} />
        <Outlet />
      </main>
      <ModalHost />
      <Shortcuts />
      <Announcer />
    </div>
  )
}
