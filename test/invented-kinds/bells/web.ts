// Bells: the folder of the web app of a kind of report that no release has, and its line in the list of the web app.
import * as reports from '#contract/reports.ts'
import { to } from '#web/paths.ts'
import { kinds, type KindWord } from '#web/resources/reports/kinds.ts'
import { own_days, ownRows, type KindOfReport } from '#web/resources/reports/report-kind.ts'
import { bells } from './contract.ts'

export const word = bells.word as string as KindWord

const kind: KindOfReport = {
  name: 'Bells',
  screen: {
    title: 'Bells report',
    icon: 'reports',
    call: reports.run,
    load: () => import('./screen.tsx').then((m) => m.BellsReport),
  },
  nameOf: () => 'Bells',
  hrefOf: ({ id }) => to.report(word, { report_id: id }),
  look: ownRows,
  offered_with: reports.run,
  has_views: false,
  narrowed_by: ['places'],
  days_hint: own_days,
  shown: {
    sorts: () => bells.sorts,
    identifiers: 'Towers',
    duration: 'Time rung',
    durationOf: ({ seconds }) => seconds,
  },
}

Object.assign(kinds, { [word]: kind })
