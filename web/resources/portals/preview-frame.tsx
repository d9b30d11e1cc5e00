// Preview frame: the guests' page in an iframe, scaled to the available space. It follows each change without reloading, so that it
// neither flickers nor loses its scroll position.
//
// The frame is sandboxed: it cannot run scripts, open windows or submit forms, so the page is only shown. It keeps the origin of
// the app, as otherwise the app could not change its contents.
import { useEffect, useRef, useState } from 'react'
import { PageWeight } from './page-weight.tsx'
import styles from './preview.module.css'

interface PreviewFrameProps {
  html: string
  /** In pixels of the page, and the scale at which it is drawn. */
  size: { width: number; height: number; scale: number }
  /** Called with the `href` of a link that was pressed in the page. */
  onFollow: (address: string) => void
}

export function PreviewFrame({ html, size, onFollow }: PreviewFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const latest = useRef({ html, onFollow })
  const [first] = useState(html)
  useEffect(() => {
    latest.current = { html, onFollow }
    exchange(frame.current?.contentDocument, html)
  }, [html, onFollow])
  const begin = () => {
    const page = frame.current?.contentDocument
    if (!page) return
    exchange(page, latest.current.html)
    page.addEventListener('submit', (event) => event.preventDefault())
    page.addEventListener('click', (event) => {
      // Elements of the frame belong to another realm, so `instanceof Element` would be false.
      const link = (event.target as Element | null)?.closest?.('a')
      if (!link) return
      event.preventDefault()
      latest.current.onFollow(link.getAttribute('href') ?? '')
    })
  }
  const { width, height, scale } = size
  return (
    <>
      <div className={styles.screen} style={{ width: width * scale, height: height * scale }}>
        <iframe
          ref={frame}
          title="The page as guests see it"
          sandbox="allow-same-origin"
          srcDoc={first}
          onLoad={begin}
          style={{ width, height, transform: `scale(${scale})` }}
        />
      </div>
      <PageWeight html={html} frame={frame} />
    </>
  )
}

const openParts = (page: Document) => [...page.querySelectorAll('details')].map((part) => part.open)

/** Updates the page with what has changed. Open `details` stay open. */
function exchange(page: Document | null | undefined, html: string) {
  const shown = page?.querySelector('style')
  if (!page || !shown) return
  const next = new DOMParser().parseFromString(html, 'text/html')
  const styles = next.querySelector('style')?.textContent ?? ''
  if (shown.textContent !== styles) shown.textContent = styles
  page.documentElement.lang = next.documentElement.lang
  page.documentElement.dir = next.documentElement.dir
  if (page.body.innerHTML === next.body.innerHTML) return
  const open = openParts(page)
  page.body.replaceChildren(...next.body.childNodes)
  page.querySelectorAll('details').forEach((part, place) => {
    part.open = open[place] ?? part.open
  })
}
