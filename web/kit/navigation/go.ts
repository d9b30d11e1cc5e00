// Go: moves to an address from anywhere, inside components or not. Addresses are plain strings from paths.ts.
import type { MenuItem } from '#web/ui/menu.tsx'

interface Moves {
  navigate: (options: { href: string; replace?: boolean }) => Promise<void>
  history: {
    go: (entries: number) => void
    location: { state: { __TSR_index?: number } }
    subscribe: (heed: () => void) => () => void
  }
}
let router: Moves | undefined

/** Called once, by main.tsx. */
export const goWith = (moves: Moves) => {
  router = moves
}
/** `replace`: Back does not return to where one was. */
export const go = (href: string, { replace = false }: { replace?: boolean } = {}): void => {
  void router?.navigate({ href, replace })
}
/** The present address: path and query. */
export const here = (): string => window.location.pathname + window.location.search

/** How many entries of this tab's history lie before the present one. */
export const depth = (): number => router?.history.location.state.__TSR_index ?? 0
export const goBack = (entries = 1): void => {
  if (entries > 0) router?.history.go(-entries)
}
/** To an address that takes the place of every entry from that depth on: Back leads to what stood before them. */
export function goInPlaceOf(from_depth: number, href: string): void {
  const entries = depth() - from_depth
  if (entries <= 0) return go(href, { replace: true })
  const stop = router?.history.subscribe(() => {
    stop?.()
    go(href, { replace: true })
  })
  goBack(entries)
}
/** An entry of a menu that leads to an address: a link, as all that navigates. */
export const linkItem = (item: Omit<MenuItem, 'onPick'> & { href: string }): MenuItem => ({
  ...item,
  onPick: () => go(item.href),
})
