// Report kind: what the screens have to know of one kind of report, which is a folder here: how it is called and looked at, what it is
// narrowed by, and its screen. The list is kinds.ts.
import type { ComponentType } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import * as reports from '#contract/reports.ts'
import type { IconName } from '#web/ui/icons.tsx'

type View = (typeof reports.reportViews)[number]

export const viewNames: Record<View, string> = {
  all_sessions: 'All sessions',
  unique: 'Unique',
}

/** How its figures are looked at, once it is saved. */
interface Look {
  title: string
  text: string
  call: Endpoint
  /** The address, for a kind whose figures are not the report's own. */
  href?: () => string
  /** The link to it, and its label. */
  link: string
  label: string
}

/** Its rows on a screen. */
interface Shown {
  sorts(view: View): readonly string[]
  /** The words for its totals. */
  identifiers: string
  duration: string
  durationOf(totals: { seconds: number; sessions: number }): number
}

/** The screen at its address, as it is found among all pages. */
interface KindScreen {
  title: string
  hint?: string
  icon: IconName
  call: Endpoint
  /** With a saved report, or one of the runs that its screen lists. */
  load(): Promise<ComponentType<{ report_id?: number; run_id?: number }>>
}

export interface KindOfReport {
  name: string
  screen: KindScreen
  /** A saved one in a list, by its view. */
  nameOf(view: View): string
  /** Where a saved one opens. */
  hrefOf(report: { id: number; isSent: boolean }): string
  look: Look
  /** The call that whoever is offered it must be allowed to make. */
  offered_with: Endpoint
  /** Whether its rows have views, and columns that are ticked. */
  has_views: boolean
  /** The sections of filters that it is narrowed by. */
  narrowed_by: readonly ('places' | 'guests')[]
  days_hint: string
  first_day_hint?: string
  /** Null: it is only ever a file. */
  shown: Shown | null
}

/** Of kinds whose days are each property's own, and whose rows are the report's own. */
export const own_days = 'Each property’s own days. Without a choice: since it was last sent, or the last 30.'
export const ownRows: Look = {
  title: 'See it',
  text: 'Totals, a chart and every row, and as a file.',
  call: reports.run,
  link: 'See the report',
  label: 'Rows',
}
