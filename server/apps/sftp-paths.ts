// SFTP paths: where a path of a sender's folder leads, what it is told of a file there, and the refusals that it may be told.
import ssh2, { type Attributes } from 'ssh2'
import { isPlainName, isShelf, type InboxFile, type Shelf } from '#server/files/inbox.ts'

const { STATUS_CODE } = ssh2.utils.sftp

/** What the other side may be told. */
export class Denied extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}
export const noSuch = () => new Denied(STATUS_CODE.NO_SUCH_FILE, 'There is no such file')
export const denied = (sentence: string) => new Denied(STATUS_CODE.PERMISSION_DENIED, sentence)
export const sftpFailure = (sentence: string) => new Denied(STATUS_CODE.FAILURE, sentence)

/** Where a path leads: the folder itself, one of its shelves, or a file in either. */
type Place = { folder: Shelf | null } | { name: string; shelf: Shelf | null }

/** Every other path leads nowhere. */
export function sftpPlaceOf(path: string): Place {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  const [first, second] = parts
  if (first === undefined) return { folder: null }
  if (isShelf(first) && parts.length === 1) return { folder: first }
  if (isShelf(first) && parts.length === 2 && second !== undefined && isPlainName(second))
    return { name: second, shelf: first }
  if (parts.length > 1 || !isPlainName(first)) throw noSuch()
  return { name: first, shelf: null }
}

/** The name of a file that may be sent, renamed or removed. */
export function plain(path: string): string {
  const place = sftpPlaceOf(path)
  if (!('name' in place)) throw sftpFailure('This is a folder')
  if (place.shelf !== null) throw denied('Files that were read cannot be changed')
  return place.name
}

const modes = { folder: 0o040700, file: 0o100600 }
/** Null: of a folder. */
export function attributesOf(file: Pick<InboxFile, 'byte_size' | 'changed_at'> | null): Attributes {
  const seconds = Math.trunc((file?.changed_at.getTime() ?? 0) / 1000)
  return {
    mode: file === null ? modes.folder : modes.file,
    uid: 0,
    gid: 0,
    size: file?.byte_size ?? 0,
    atime: seconds,
    mtime: seconds,
  }
}
