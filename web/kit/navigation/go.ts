// Go: moves to an address from anywhere, inside components or not. Addresses are plain strings from paths.ts.
interface Moves {
  navigate: (options: { href: string; replace?: boolean }) => Promise<void>
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
