// Announcer: reads out the title of a screen after one has moved to it, since nothing else tells a screen reader that a
// page without a reload has changed; and takes the focus to the screen when what had it is gone.
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { one, type Search } from '#web/kit/navigation/search-params.ts'

/** A screen is another one when its path, its record or its tab is; a dialog or a filter is not. */
const screenOf = (pathname: string, search: Search) =>
  [pathname, one(search['id']) ?? '', one(search['tab']) ?? '', one(search['step']) ?? ''].join(' ')

export function Announcer() {
  const screen = useRouterState({
    select: ({ resolvedLocation: at }) => at && screenOf(at.pathname, at.search as Search),
  })
  const [title, setTitle] = useState('')
  const first = useRef(true)
  useEffect(() => {
    if (screen === undefined) return
    if (first.current) {
      // The browser reads the page itself when it is opened.
      first.current = false
      return
    }
    return onTitle((text) => {
      setTitle(text)
      // After the heading, which takes the focus with the next frame where it has one to take.
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true })
      })
    })
  }, [screen])
  return (
    <p className="unseen" role="status" aria-live="polite">
      {title}
    </p>
  )
}

/** Calls back once the screen's heading has its text, which may have to be loaded; answers how to stop waiting. */
function onTitle(heed: (title: string) => void): () => void {
  const main = document.getElementById('main')
  const titleNow = () => main?.querySelector('h1')?.textContent?.trim() || undefined
  const now = titleNow()
  if (!main || now) {
    if (now) heed(now)
    return () => {}
  }
  const watcher = new MutationObserver(() => {
    const title = titleNow()
    if (!title) return
    watcher.disconnect()
    heed(title)
  })
  watcher.observe(main, { childList: true, subtree: true, characterData: true })
  return () => watcher.disconnect()
}
