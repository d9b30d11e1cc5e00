// Rejected: why a file is not even checked (specification, section 5). Undefined: it may be checked.
import { constants } from '#contract/constants.ts'
import { messages } from '#contract/messages.ts'

const { types, file_bytes_max, files_max } = constants.import

/** `cancelled`: the kind's message for what is not a spreadsheet. */
export function rejectionOf(files: readonly { name: string; size: number }[], cancelled: string): string | undefined {
  const [file] = files
  if (files.length > files_max) return messages.imports.oneFile
  // Without a file, something else was dropped, such as the address of a picture or selected text.
  if (!file || !types.some((type) => file.name.toLowerCase().endsWith(type))) return cancelled
  return file.size > file_bytes_max ? messages.imports.tooLarge : undefined
}
