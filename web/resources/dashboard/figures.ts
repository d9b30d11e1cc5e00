// Figures: everything that the dashboard shows, as its one call answers it.
import type { get } from '#contract/dashboard.ts'
import type { Reply } from '#contract/endpoint.ts'

export type Figures = Reply<typeof get>['data']
