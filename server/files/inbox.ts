// Inbox: the folders into which other systems put files, one for each address: folders of this machine, or of the bucket. What was read
// is moved to `done`, what could not be read to `failed`, and both are kept for some days.

/** A file as it lies in an inbox. */
export interface InboxFile {
  /** What it is found again by. */
  id: string
  /** As people read it. */
  name: string
  byte_size: number
  changed_at: Date
  /** What is none leads elsewhere, or nowhere: a link, a pipe, a device. Folders are let be. */
  is_file: boolean
}
/** Where files are put away to. */
export const shelves = ['done', 'failed'] as const
export type Shelf = (typeof shelves)[number]
export const isShelf = (name: string): name is Shelf => (shelves as readonly string[]).includes(name)

export interface Inbox {
  /** The addresses for which there is a folder. */
  addresses(): Promise<string[]>
  /** At most `files_max` of them. */
  list(address: string, shelf?: Shelf): Promise<InboxFile[]>
  /** Copies it to `target`, or answers false: it is gone, is no file, or has become longer than `byte_size_max`. */
  copy(address: string, id: string, to: { target: string; byte_size_max: number }): Promise<boolean>
  /** Puts a whole file there, in place of one of that name. `source` may be moved away. */
  put(address: string, name: string, source: string): Promise<void>
  /** In place of one of that name. False: there is none. */
  rename(address: string, from: string, to: string): Promise<boolean>
  putAway(address: string, id: string, shelf: Shelf): Promise<void>
  remove(address: string, id: string, shelf?: Shelf): Promise<void>
}

/** Of one folder, as many as are looked at together. */
export const files_max = 10_000
const address_pattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
export const isAddress = (name: string): boolean => address_pattern.test(name)
/** Throws for what is no address, since it could lead elsewhere. */
export function checkedAddress(address: string): string {
  if (!isAddress(address)) throw new Error(`${address} is no address of an inbox`)
  return address
}

const name_bytes_max = 180
// oxlint-disable-next-line no-control-regex -- they are what is refused
const unfit = /[\u0000-\u001f\u007f/\\\uFFFD]|\p{Cs}/u
/** A name that can be nothing but a file of this folder. */
export const isPlainName = (name: string): boolean =>
  name !== '' &&
  !name.startsWith('.') &&
  !isShelf(name) &&
  !unfit.test(name) &&
  Buffer.byteLength(name) <= name_bytes_max

/** A name on a shelf, where several files may have come by the same name. */
export const shelvedName = (name: string, now = new Date()): string => {
  const plain = Array.from(name, (letter) => (unfit.test(letter) ? '_' : letter)).join('')
  const end = plain.slice(-60)
  return `${now.toISOString().replaceAll(/[-:.]/g, '')} ${end}`
}
