// Preview frame: the guests' page in a frame of its own, scaled to the room there is. It follows each change without being
// loaded anew, so that it neither flickers nor scrolls back.
//
// The frame is sandboxed and may run no script, open no window and send no form; whatever stands in the page is only shown.
// It keeps the origin of the app, since only then may the app exchange what is in it.
import { useEffect, useRef, useState } from 'react'
import { PageWeight } from './page-weight.tsx'
import styles from './preview.module.css'

interface PreviewFrameProps {
  html: string
  /** In pixels of the page, and how large one of them is drawn. */
  size: { width: number; height: number; scale: number }
  /** A link of the page was pressed: its address as it stands there. */
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
      // Elements of the frame are of its own kind: `instanceof Element` would say no.
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

/** Puts what has changed into the page that is shown. What is opened stays open. */
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
