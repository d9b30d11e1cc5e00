// Columns of: what SQL answers of a table's own columns, typed as the migrations made them:
//
//   scope.run(sql<ColumnsOf<'rooms', 'id' | 'number'>>`select r.id, r.number from rooms as r …`)
//
// What is computed, renamed or joined is written by hand beside it; scripts/row-types.ts notices where that says another type than the
// column has.
import type { Selectable } from 'kysely'
import type { DB } from './tables.ts'

export type ColumnsOf<T extends keyof DB, C extends keyof Selectable<DB[T]>> = Pick<Selectable<DB[T]>, C>
