// Rejected: why a file is not even looked at (specification, section 5). Undefined: it may be checked.
import { constants } from '#contract/constants.ts'
import { messages } from '#contract/messages.ts'

const { types, file_bytes_max, files_max } = constants.import

/** `cancelled`: the kind's sentence for what is no spreadsheet. */
export function rejectionOf(files: readonly { name: string; size: number }[], cancelled: string): string | undefined {
  const [file] = files
  if (files.length > files_max) return messages.imports.oneFile
  // Something else was dropped, such as a picture's address or some marked text.
  if (!file || !types.some((type) => file.name.toLowerCase().endsWith(type))) return cancelled
  return file.size > file_bytes_max ? messages.imports.tooLarge : undefined
}
