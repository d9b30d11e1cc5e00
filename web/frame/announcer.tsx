// Announcer: reads out the title of a screen after navigation, since nothing else tells a screen reader that a page has
// changed without a reload; and moves the focus to the screen when the focused element is gone.
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { one, type Search } from '#web/kit/navigation/search-params.ts'

/** A change of path, record or tab is another screen; a dialog or a filter is not. */
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
      // After the heading, which takes the focus in the next frame if it can.
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

/** Calls back once the screen's heading has its text, which may have to be loaded first; returns a function that stops waiting. */
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
