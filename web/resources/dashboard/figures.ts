// Figures: the answer of the dashboard's one call.
import type { get } from '#contract/dashboard.ts'
import type { Reply } from '#contract/endpoint.ts'

export type Figures = Reply<typeof get>['data']
