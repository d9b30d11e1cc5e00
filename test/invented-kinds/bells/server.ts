// Bells: the server's folder of a kind of report that no release has, and its line in the list of the server.
import type { ReportKind, ReportRow } from '#server/reports/kind.ts'
import { kinds } from '#server/reports/kinds.ts'
import { bells } from './contract.ts'

const row = { tower: 'The tower', strokes: 12 } as unknown as ReportRow

const kind: ReportKind = {
  title: 'Bells',
  not_narrowed: { by: ['package_ids'], message: 'Bells ring for everybody' },
  methodsOf: () => [],
  reserved: null,
  group_of: 'then',
  waits_for: 'reports',
  content: {
    by: 'rows',
    describe: () => 'Bells by tower',
    columns: () => [
      { key: 'tower', title: 'Tower', kind: 'text' },
      { key: 'strokes', title: 'Strokes', kind: 'number' },
    ],
    sorts: () => bells.sorts,
    sort: () => '-strokes',
    page: (_scope, _asked, _spans, { after }) =>
      Promise.resolve(after === null ? [{ row, after: { value: '12', id: 1 }, zone: 'UTC' }] : []),
    summary: () =>
      Promise.resolve({
        rows: 1,
        sessions_since: null,
        hours_since: null,
        totals: { sessions: 12, identifiers: 1, usage_gb: 0, seconds: 0 },
        series: [],
      }),
    namesGuests: () => false,
  },
}

Object.assign(kinds, { [bells.word]: kind })
