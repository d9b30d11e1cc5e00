// Billing words: states and reasons of bills as text, and the period and places in the address.
import type { RowOf, Reply } from '#contract/endpoint.ts'
import type * as billing from '#contract/billing-runs.ts'
import type { Period } from '#web/kit/display/months.ts'
import { many, one, type Search } from '#web/kit/navigation/search-params.ts'
import { Badge, type Tone } from '#web/ui/badge.tsx'

export type BillingRun = RowOf<typeof billing.runList>
export type OneRun = Reply<typeof billing.getRun>['data']
export type DrawnLine = Reply<typeof billing.previewRun>['data'][number]
export type Gap = OneRun['unknown'][number]
export type ShownNight = DrawnLine['nights'][number] & {
  was?: RowOf<typeof billing.billedNightList>['was']
}

export const statusNames: Record<BillingRun['status'], string> = { draft: 'Draft', approved: 'Approved' }
export const RunBadge = ({ of }: { of: BillingRun['status'] }) => (
  <Badge dot tone={of === 'approved' ? 'good' : 'waiting'}>
    {statusNames[of]}
  </Badge>
)

/** The progress of a run's drafts in the books; null if none was ever made. */
export function draftsOf({ drafts }: BillingRun): { tone: Tone; first: string; rest: string } | null {
  const { waiting, sent, failed, gone, unsent } = drafts
  const all = waiting + sent + failed + gone
  if (all === 0) return null
  const left = [
    failed > 0 && `${failed} failed`,
    gone > 0 && `${gone} deleted there`,
    waiting > 0 && `${waiting} on the way`,
    unsent > 0 && `${unsent} ${unsent === 1 ? 'line' : 'lines'} not sent`,
  ].filter((words) => words !== false)
  const tone = failed > 0 ? 'wrong' : left.length > 0 ? 'waiting' : 'good'
  // What needs attention comes first.
  const [first = `${sent} sent`, ...more] = left
  return { tone, first, rest: (left.length > 0 ? [`${sent} of ${all} sent`, ...more] : more).join(', ') }
}

const reasons = { occupied: 'Rooms let', minimum: 'Minimum', holiday: 'Holiday' }
export const reasonOf = ({ reason, holiday }: Pick<ShownNight, 'reason' | 'holiday'>): string =>
  reason === 'holiday' && holiday ? `Holiday: ${holiday}` : reasons[reason]

const isDay = (text: string | undefined): text is string => text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text)
/** The period in the address. The screen reports an end that is missing or before the start. */
export function periodIn(search: Search): Period | undefined {
  const [period_start, period_end] = [one(search['period_start']), one(search['period_end'])]
  return isDay(period_start) ? { period_start, period_end: isDay(period_end) ? period_end : '' } : undefined
}

export const placeNames = ['property_ids', 'group_ids', 'collection_ids'] as const
export type Places = Record<(typeof placeNames)[number], number[]>
export const placesIn = (search: Search): Places => {
  const idsOf = (name: string) =>
    many(search[name])
      .map(Number)
      .filter((id) => Number.isInteger(id) && id > 0)
  return {
    property_ids: idsOf('property_ids'),
    group_ids: idsOf('group_ids'),
    collection_ids: idsOf('collection_ids'),
  }
}
