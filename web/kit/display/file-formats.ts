// File formats: what the formats of reports and of bills are called where one is chosen.

export const formatNames = {
  xls: 'Excel 97–2003 (xls)',
  xlsx: 'Excel (xlsx)',
  csv: 'Text with commas (csv)',
  pdf: 'For printing (pdf)',
}
export type FileFormat = keyof typeof formatNames
export const fileFormats = Object.keys(formatNames) as FileFormat[]
