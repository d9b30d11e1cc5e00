// Questions: what a figure of the dashboard counts, as the list behind it is asked. A number and its list ask the same.
import * as accounts from '#contract/accounts.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import * as properties from '#contract/properties.ts'
import * as sessions from '#contract/sessions.ts'
import * as batches from '#contract/voucher-batches.ts'
import type { Figures } from './figures.ts'

export type Counted = 'guests_online' | 'sessions_today' | 'batches_left' | 'accounts' | 'properties'

export interface Question {
  list: Endpoint
  filters: Record<string, string | boolean>
}

/** By the figure that is the total of the list. */
export const questions: Record<Counted & keyof Figures, Question> = {
  guests_online: { list: sessions.list, filters: { online: true } },
  sessions_today: { list: sessions.list, filters: { started: 'today' } },
  batches_left: { list: batches.list, filters: { left: true } },
  accounts: { list: accounts.list, filters: {} },
  properties: { list: properties.list, filters: {} },
}

/** As the address of a list has its filters. */
export const inAddress = (figure: Counted): Record<string, string> =>
  Object.fromEntries(
    Object.entries(questions[figure].filters).map(([name, value]) => [`filter.${name}`, String(value)]),
  )
