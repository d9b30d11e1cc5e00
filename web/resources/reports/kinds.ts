// Report kinds: what the screens say of each kind of report, and where one opens: one entry each.
import * as billing from '#contract/billing-runs.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import * as reports from '#contract/reports.ts'
import { lastMonth } from '#web/kit/display/months.ts'
import { to } from '#web/paths.ts'
import { viewNames } from './words.ts'

export type KindWord = (typeof reports.reportKinds)[number]
type View = (typeof reports.reportViews)[number]

interface Opened {
  id: number
  isSent: boolean
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

interface KindOfReport {
  name: string
  /** A saved one in a list, by its view. */
  nameOf(view: View): string
  /** Where a saved one opens. */
  hrefOf(report: Opened): string
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

const own_days = 'Each property’s own days. Without a choice: since it was last sent, or the last 30.'
const ownRows: Look = {
  title: 'See it',
  text: 'Totals, a chart and every row, and as a file.',
  call: reports.run,
  link: 'See the report',
  label: 'Rows',
}

export const kinds: Readonly<Record<KindWord, KindOfReport>> = {
  session: {
    name: 'Sessions',
    nameOf: (view) => viewNames[view],
    hrefOf: ({ id }) => to.sessionReport({ report_id: id }),
    look: ownRows,
    offered_with: reports.run,
    has_views: true,
    narrowed_by: ['places', 'guests'],
    days_hint: own_days,
    shown: {
      sorts: (view) => reports.runSorts[view],
      identifiers: 'Identifiers',
      duration: 'Time online',
      durationOf: ({ seconds }) => seconds,
    },
  },
  free_wifi: {
    name: 'Free Wi-Fi',
    nameOf: () => 'Free Wi-Fi',
    hrefOf: ({ id }) => to.freeWifiReport({ report_id: id }),
    look: ownRows,
    offered_with: reports.run,
    has_views: false,
    narrowed_by: ['places', 'guests'],
    days_hint: own_days,
    shown: {
      sorts: () => reports.runSorts.free_wifi,
      identifiers: 'Unique guests',
      duration: 'Mean duration',
      durationOf: ({ seconds, sessions }) => (sessions > 0 ? seconds / sessions : seconds),
    },
  },
  billing: {
    name: 'Billing',
    nameOf: () => 'Billing',
    // What was sent, else the wizard.
    hrefOf: ({ id, isSent }) => (isSent ? to.scheduledReport(id) : to.editReport(id)),
    look: {
      title: 'See last month',
      text: 'What each property comes to, down to its nights, before anything is billed.',
      call: billing.previewRun,
      href: () => to.newBillingRun({ ...lastMonth() }),
      link: 'See last month',
      label: 'Bill',
    },
    offered_with: billing.previewRun,
    has_views: false,
    narrowed_by: ['places'],
    days_hint: 'The nights of these days. Without a choice: since it was last sent, or the last 30.',
    // Nights are written down at the property's midnight, which is later in the west.
    first_day_hint: 'From the 2nd of a month on, the month before is over everywhere.',
    shown: null,
  },
}

const isKind = (word: unknown): word is KindWord => (reports.reportKinds as readonly unknown[]).includes(word)
/** Of a form or an address: sessions, if it is none. */
export const kindIn = (word: unknown): KindWord => (isKind(word) ? word : 'session')
export const kindNames = Object.fromEntries(reports.reportKinds.map((word) => [word, kinds[word].name])) as Record<
  KindWord,
  string
>
