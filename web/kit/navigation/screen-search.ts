// Screen search: the path and the query of the screen that is drawn. The router's location is ahead of it: while the next screen's code is
// on its way, the address is the next one's already, and a property's page would ask for the account that was pressed.
import { useRouterState, useSearch } from '@tanstack/react-router'
import type { Search } from './search-params.ts'

export const useScreenSearch = (): Search => useSearch({ strict: false })

/** The path of the screen that is drawn. */
export const useScreenPath = (): string =>
  useRouterState({ select: ({ matches, location }) => matches.at(-1)?.pathname ?? location.pathname })
