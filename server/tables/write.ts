// Write: a table as a file of the requested format. All four are made while they are sent.
import type { Readable } from 'node:stream'
import { writeCsv } from './csv.ts'
import { writePdf } from './pdf.ts'
import type { Format, MadeFile, TableFile } from './table.ts'
import { writeXls } from './xls.ts'
import { writeXlsx } from './xlsx.ts'

const writers: Record<Format, { content_type: string; write<Row>(table: TableFile<Row>): Readable }> = {
  csv: { content_type: 'text/csv; charset=utf-8', write: writeCsv },
  xlsx: {
    content_type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    write: (table) => writeXlsx(table),
  },
  xls: { content_type: 'application/vnd.ms-excel', write: (table) => writeXls(table) },
  pdf: { content_type: 'application/pdf', write: writePdf },
}

export function writeTable<Row>(format: Format, table: TableFile<Row>): MadeFile {
  const { content_type, write } = writers[format]
  return { file_name: `${table.file_name ?? table.title}.${format}`, content_type, content: write(table) }
}
