// Tabs: the parts of one record. Arrow keys only move between them, Enter or Space opens: leaving a tab may ask for confirmation.
import { Fragment, useEffect, useId, useRef, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import styles from './tabs.module.css'

export interface Tab {
  name: string
  title: string
  /** What it has in common with the tabs beside it; stands before the first of them. */
  group?: string
  /** How many are in it. */
  count?: string
  /** They should have been dealt with. */
  alert?: boolean
  body: () => ReactNode
}

/** Fades an edge beyond which there are more tabs. */
function markOverflow(line: HTMLElement) {
  // From right to left it is negative.
  const scrolled = Math.abs(line.scrollLeft)
  line.toggleAttribute('data-more-before', scrolled > 1)
  line.toggleAttribute('data-more-after', scrolled + line.clientWidth < line.scrollWidth - 1)
}

/** If the tabs scroll, the open one is centred, also after the fonts have loaded or a phone is rotated. */
function useCentred<E extends HTMLElement>(list: RefObject<E | null>, open: unknown) {
  useEffect(() => {
    const line = list.current
    if (!line) return
    const observer = new ResizeObserver(() => {
      const tab = line.querySelector<HTMLElement>('[aria-selected="true"], [aria-current="page"]')
      if (tab) line.scrollLeft = tab.offsetLeft - line.offsetLeft - (line.clientWidth - tab.offsetWidth) / 2
      markOverflow(line)
    })
    // Letters of another font change the tabs and not the line.
    for (const part of [line, ...line.children]) observer.observe(part)
    return () => observer.disconnect()
  }, [list, open])
}

/** Links that look like tabs, to screens that belong together; the present one has `aria-current`. */
export function TabLinks({ label, children }: { label: string; children: ReactNode }) {
  const list = useRef<HTMLElement>(null)
  useCentred(list, children)
  return (
    <nav ref={list} aria-label={label} className={styles.list} onScroll={(event) => markOverflow(event.currentTarget)}>
      {children}
    </nav>
  )
}

/** Only the open tab's body is rendered. */
export function Tabs({
  tabs,
  open,
  onOpen,
  label,
}: {
  tabs: Tab[]
  open: string
  onOpen: (name: string) => void
  label: string
}) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const all = [...(list.current?.querySelectorAll<HTMLElement>('[role="tab"]') ?? [])]
    const at = all.indexOf(document.activeElement as HTMLElement)
    const onwards = event.currentTarget.matches(':dir(rtl)') ? -1 : 1
    const step = { ArrowRight: at + onwards, ArrowLeft: at - onwards, Home: 0, End: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    all.at(step >= all.length ? 0 : step)?.focus()
  }
  useCentred(list, open)
  const now = tabs.find((tab) => tab.name === open)
  return (
    <>
      <div
        ref={list}
        role="tablist"
        tabIndex={-1}
        aria-label={label}
        className={styles.list}
        onKeyDown={onKeyDown}
        onScroll={(event) => markOverflow(event.currentTarget)}
      >
        {tabs.map((tab, index) => (
          <Fragment key={tab.name}>
            {tab.group !== undefined && tab.group !== tabs[index - 1]?.group && (
              <span aria-hidden className={styles.group}>
                {tab.group}
              </span>
            )}
            <button
              id={`${id}-${tab.name}`}
              type="button"
              role="tab"
              className={styles.tab}
              aria-selected={tab.name === open}
              aria-controls={tab.name === open ? `${id}-panel` : undefined}
              tabIndex={tab.name === open ? 0 : -1}
              onClick={() => tab.name !== open && onOpen(tab.name)}
            >
              {tab.title}
              {tab.count !== undefined && (
                <>
                  {' '}
                  <span className={styles.count} data-alert={tab.alert}>
                    {tab.count}
                  </span>
                </>
              )}
            </button>
          </Fragment>
        ))}
      </div>
      {now && (
        <div
          key={now.name}
          id={`${id}-panel`}
          role="tabpanel"
          aria-labelledby={`${id}-${now.name}`}
          className={styles.panel}
        >
          {now.body()}
        </div>
      )}
    </>
  )
}
