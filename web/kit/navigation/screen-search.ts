// Screen search: the path and the query of the rendered screen. The router's location is ahead of it: while the next screen's code
// is loading, it is already the next address, and a property's page would fetch its data with the id of the account just opened.
import { useRouterState, useSearch } from '@tanstack/react-router'
import type { Search } from './search-params.ts'

export const useScreenSearch = (): Search => useSearch({ strict: false })

/** The path of the rendered screen. */
export const useScreenPath = (): string =>
  useRouterState({ select: ({ matches, location }) => matches.at(-1)?.pathname ?? location.pathname })
