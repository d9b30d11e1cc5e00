// Writer: a report's table as a file of any format.
import type { TableFile } from '#server/tables/table.ts'
import { writeTable } from '#server/tables/write.ts'
import type { OpenedReport } from './kind.ts'

export const writerOf =
  <Row>(table: TableFile<Row>): OpenedReport['write'] =>
  (format, watched = (pages) => pages) =>
    writeTable(format, { ...table, pages: watched(table.pages) })
