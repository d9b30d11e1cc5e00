// Figure filters: what each figure of the dashboard counts, as filters of the list that it opens, so that the two agree.
import * as accounts from '#contract/accounts.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import * as properties from '#contract/properties.ts'
import * as sessions from '#contract/sessions.ts'
import * as batches from '#contract/voucher-batches.ts'
import type { Figures } from './figures.ts'

export type Counted = 'guests_online' | 'sessions_today' | 'batches_left' | 'accounts' | 'properties'

export interface FigureFilters {
  list: Endpoint
  filters: Record<string, string | boolean>
}

/** By figure; each figure is the total of its list. */
export const figureFilters: Record<Counted & keyof Figures, FigureFilters> = {
  guests_online: { list: sessions.list, filters: { online: true } },
  sessions_today: { list: sessions.list, filters: { started: 'today' } },
  batches_left: { list: batches.list, filters: { left: true } },
  accounts: { list: accounts.list, filters: {} },
  properties: { list: properties.list, filters: {} },
}

/** The filters as parameters of the list's address. */
export const inAddress = (figure: Counted): Record<string, string> =>
  Object.fromEntries(
    Object.entries(figureFilters[figure].filters).map(([name, value]) => [`filter.${name}`, String(value)]),
  )
