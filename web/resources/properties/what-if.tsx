// What if: what last month's bill would have been on the terms in the form, before they are saved.
import { useQuery } from '@tanstack/react-query'
import * as billing from '#contract/billing-runs.ts'
import type { Input } from '#contract/endpoint.ts'
import { call } from '#web/kit/call/call.ts'
import { useDebounced } from '#web/kit/call/options.ts'
import { keys } from '#web/kit/call/query-client.ts'
import type { Form } from '#web/kit/form/use-form.ts'
import { totalsText } from '#web/kit/display/amounts.ts'
import { lastMonth, monthOf } from '#web/kit/display/months.ts'
import { useMayCall } from '#web/session/may.ts'
import { Notice } from '#web/ui/state.tsx'
import type { PropertySchema } from './rules.ts'

const terms = ['total_units', 'rate_per_unit', 'minimum_billable_percentage', 'holiday_billable_percentage'] as const
type Terms = Record<string, number>
/** The pause in typing after which the terms are tried. */
const pause_ms = 400

const termsIn = (values: Record<string, unknown>): Terms =>
  Object.fromEntries(
    terms.flatMap((name) => {
      const value = values[name] === '' || values[name] == null ? NaN : Number(values[name])
      return Number.isFinite(value) ? [[name, value] as const] : []
    }),
  )

const useTotals = (property_id: number, overrides: Terms, enabled: boolean) => {
  const ask: Input<typeof billing.previewRun> = {
    property_ids: [property_id],
    ...lastMonth(),
    overrides,
    with_nights: false,
  }
  const { data } = useQuery({
    queryKey: keys.list(billing.previewRun.path, ask),
    queryFn: ({ signal }) => call(billing.previewRun, ask, { signal }),
    enabled,
  })
  return data?.meta.totals
}

interface WhatIfProps {
  id: number
  form: Form<PropertySchema>
  /** The property with the terms that are saved. */
  saved: Record<string, unknown>
}

export function WhatIf({ id, form, saved }: WhatIfProps) {
  const mayPreview = useMayCall(billing.previewRun)
  const typed = JSON.stringify(termsIn(form.values))
  const settled = useDebounced(typed, pause_ms)
  const changed = mayPreview && settled !== JSON.stringify(termsIn(saved)) && settled === typed
  const would = useTotals(id, JSON.parse(settled) as Terms, changed)
  const was = useTotals(id, {}, changed)
  if (!changed || would === undefined || was === undefined) return null
  const month = monthOf(lastMonth().period_start)
  const [before, after] = [totalsText(was), totalsText(would)]
  return (
    <Notice>
      {was.length === 0
        ? `No nights of ${month} are known here to try these terms on.`
        : after === before
          ? `On these terms ${month} would have come to the same: ${before}.`
          : `On these terms ${month} would have come to ${after} instead of ${before}.`}
    </Notice>
  )
}
