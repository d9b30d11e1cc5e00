// Go: navigates to an address from anywhere, inside components or not. Addresses are plain strings from paths.ts.
import type { HistoryState } from '@tanstack/react-router'
import type { MenuItem } from '#web/ui/menu.tsx'

declare module '@tanstack/history' {
  interface HistoryState {
    /** The address that the user came from. */
    from?: string | undefined
  }
}

interface Moves {
  navigate: (options: {
    href: string
    replace?: boolean
    state?: HistoryState
    ignoreBlocker?: boolean
  }) => Promise<void>
  history: {
    go: (entries: number) => void
    location: { state: HistoryState & { __TSR_index?: number } }
    subscribe: (listener: () => void) => () => void
  }
}
let router: Moves | undefined

/** Called once, by main.tsx. */
export const goWith = (moves: Moves) => {
  router = moves
}
interface Manner {
  /** Back does not return to the present address. */
  replace?: boolean
  /** Unsaved changes are given up without a question, as what they belong to is gone. */
  unasked?: boolean
}
export const go = (href: string, { replace = false, unasked = false }: Manner = {}): void => {
  const from = replace ? router?.history.location.state.from : here()
  void router?.navigate({ href, replace, state: { from }, ignoreBlocker: unasked })
}
/** The current address: path and query. */
export const here = (): string => window.location.pathname + window.location.search

const pathOf = (href: string) => href.split('?')[0]
const queryOf = (href: string) => new URLSearchParams(href.split('?')[1])
/** The same screen of the same record, however it was searched or filtered. */
const leadsTo = (from: string, href: string) =>
  pathOf(from) === pathOf(href) && [...queryOf(href)].every(([name, value]) => queryOf(from).get(name) === value)

/** Going back is asynchronous; a second press in the meantime would go back twice. */
let isGoingBack = false

/** Leaves a form for the given address; goes back if the form was opened from there, so that the history has it only once. */
export function leaveTo(href: string): void {
  if (isGoingBack) return
  const { from } = router?.history.location.state ?? {}
  if (from === undefined || !leadsTo(from, href)) return go(href, { replace: true })
  isGoingBack = true
  window.addEventListener('popstate', () => (isGoingBack = false), { once: true })
  goBack()
}

/** How many entries of this tab's history are before the current one. */
export const depth = (): number => router?.history.location.state.__TSR_index ?? 0
export const goBack = (entries = 1): void => {
  if (entries > 0) router?.history.go(-entries)
}
/** Replaces every history entry from that depth on by one address: Back leads to what was before them. */
export function goInPlaceOf(from_depth: number, href: string): void {
  const entries = depth() - from_depth
  if (entries <= 0) return go(href, { replace: true })
  const stop = router?.history.subscribe(() => {
    stop?.()
    go(href, { replace: true })
  })
  goBack(entries)
}
/** A menu entry that leads to an address, as a link. */
export const linkItem = (item: Omit<MenuItem, 'onPick'> & { href: string }): MenuItem => ({
  ...item,
  onPick: () => go(item.href),
})
