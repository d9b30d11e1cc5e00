// SFTP folder: the one folder that a sender of files sees. Files are received whole: one becomes visible under its name when it is closed,
// and what was broken off never does.
import { open, rm, stat, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import ssh2, { type Attributes, type SFTPWrapper } from 'ssh2'
import { constants } from '#contract/constants.ts'
import { Refused } from '#server/errors/refused.ts'
import { isPlainName, isShelf, shelves, type Inbox, type InboxFile, type Shelf } from '#server/files/inbox.ts'
import { openUploadFolder } from '#server/files/receive.ts'
import type { Log } from '#server/watch/log.ts'

const { STATUS_CODE, OPEN_MODE } = ssh2.utils.sftp
const { file_bytes_max } = constants.import
/** Of one inbox: files that wait to be read, and their bytes. */
const files_max = 1000
const bytes_max = 20 * file_bytes_max
const handles_max = 16
const names_at_once = 100

/** What the other side may be told. */
class Denied extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}
const noSuch = () => new Denied(STATUS_CODE.NO_SUCH_FILE, 'There is no such file')
const denied = (sentence: string) => new Denied(STATUS_CODE.PERMISSION_DENIED, sentence)
const failed = (sentence: string) => new Denied(STATUS_CODE.FAILURE, sentence)

interface Needs {
  inbox: Inbox
  /** Of the inbox. */
  address: string
  log: Log
  hasRoom(): boolean
  /** Counts against what the customer may send in a day. Throws `Refused`. */
  spend(bytes: number): Promise<unknown>
  /** Something was asked. */
  touch(): void
}

/** Where a path leads: the folder itself, one of its shelves, or a file in either. */
type Place = { folder: Shelf | null } | { name: string; shelf: Shelf | null }

/** Every other path leads nowhere. */
export function placeOf(asked: string): Place {
  const parts = asked.split('/').filter((part) => part !== '' && part !== '.')
  const [first, second] = parts
  if (first === undefined) return { folder: null }
  if (isShelf(first) && parts.length === 1) return { folder: first }
  if (isShelf(first) && parts.length === 2 && second !== undefined && isPlainName(second))
    return { name: second, shelf: first }
  if (parts.length > 1 || !isPlainName(first)) throw noSuch()
  return { name: first, shelf: null }
}

interface Draft {
  name: string
  path: string
  file: FileHandle
  byte_size: number
  writing: Set<Promise<unknown>>
}

export function serveFolder(sftp: SFTPWrapper, needs: Needs) {
  const { inbox, address, log } = needs
  const drafts = new Map<number, Draft>()
  const listings = new Map<number, string[]>()
  let last = 0
  let folder: Promise<string> | undefined
  let isClosed = false

  const handleOf = (bytes: Buffer) => (bytes.length === 4 ? bytes.readUInt32BE() : -1)
  const newHandle = () => {
    if (drafts.size + listings.size >= handles_max) throw failed('Too many files are open')
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(++last)
    return { at: last, bytes }
  }
  const plain = (asked: string): string => {
    const place = placeOf(asked)
    if (!('name' in place)) throw failed('This is a folder')
    if (place.shelf !== null) throw denied('What was read is not touched any more')
    return place.name
  }
  const find = async (name: string, shelf: Shelf | null): Promise<InboxFile> => {
    const found = (await inbox.list(address, shelf ?? undefined)).find((file) => file.name === name)
    if (!found) throw noSuch()
    return found
  }
  /** Answers a request, one way or the other. */
  const answer = (id: number, work: () => Promise<void>) => {
    needs.touch()
    work().catch((error: unknown) => {
      if (isClosed) return
      if (error instanceof Denied) return sftp.status(id, error.code, error.message)
      if (error instanceof Refused) return sftp.status(id, STATUS_CODE.FAILURE, error.message)
      log.warn({ err: error }, 'a file could not be received')
      return sftp.status(id, STATUS_CODE.FAILURE, 'Something went wrong here')
    })
  }
  const done = (id: number) => sftp.status(id, STATUS_CODE.OK)

  async function refuseWhenFull() {
    if (!needs.hasRoom()) throw failed('There is no room at present')
    const waiting = await inbox.list(address)
    const bytes = waiting.reduce((sum, { byte_size }) => sum + byte_size, 0)
    if (waiting.length + drafts.size >= files_max) throw failed(`More than ${files_max} files wait to be read`)
    if (bytes >= bytes_max) throw failed('The files that wait to be read are too large')
  }

  sftp.on('REALPATH', (id, asked) =>
    answer(id, async () => {
      const place = placeOf(asked)
      const filename =
        'name' in place ? `/${place.shelf === null ? '' : `${place.shelf}/`}${place.name}` : `/${place.folder ?? ''}`
      sftp.name(id, [{ filename, longname: filename, attrs: attributesOf(null) }])
    }),
  )
  const lookAt = (id: number, asked: string) =>
    answer(id, async () => {
      const place = placeOf(asked)
      sftp.attrs(id, attributesOf('name' in place ? await find(place.name, place.shelf) : null))
    })
  sftp.on('STAT', lookAt)
  sftp.on('LSTAT', lookAt)
  sftp.on('FSTAT', (id, handle) =>
    answer(id, async () => {
      const draft = drafts.get(handleOf(handle))
      if (!draft) throw failed('This is no open file')
      const { byte_size } = draft
      sftp.attrs(id, attributesOf({ byte_size, changed_at: new Date() }))
    }),
  )
  // Times and rights are ours: many programs set them and give up where they cannot.
  sftp.on('SETSTAT', (id, asked) => answer(id, async () => (plain(asked), done(id))))
  sftp.on('FSETSTAT', (id) => answer(id, async () => done(id)))

  sftp.on('OPENDIR', (id, asked) =>
    answer(id, async () => {
      const place = placeOf(asked)
      if ('name' in place) throw noSuch()
      const files = await inbox.list(address, place.folder ?? undefined)
      const { at, bytes } = newHandle()
      const names = files.toSorted((one, other) => (one.name < other.name ? -1 : 1)).map(({ name }) => name)
      listings.set(at, place.folder === null ? [...shelves, ...names] : names)
      sftp.handle(id, bytes)
    }),
  )
  sftp.on('READDIR', (id, handle) =>
    answer(id, async () => {
      const left = listings.get(handleOf(handle))
      if (!left) throw failed('This is no open folder')
      if (left.length === 0) return sftp.status(id, STATUS_CODE.EOF)
      sftp.name(
        id,
        left.splice(0, names_at_once).map((filename) => ({
          filename,
          longname: `${isShelf(filename) ? 'drwx------' : '-rw-------'} 1 foyer foyer 0 ${filename}`,
          attrs: attributesOf(isShelf(filename) ? null : { byte_size: 0, changed_at: new Date() }),
        })),
      )
    }),
  )

  sftp.on('OPEN', (id, asked, flags) =>
    answer(id, async () => {
      const name = plain(asked)
      if ((flags & OPEN_MODE.READ) !== 0 || (flags & OPEN_MODE.WRITE) === 0) throw denied('Files can only be sent here')
      if ((flags & OPEN_MODE.APPEND) !== 0) throw denied('Send the whole file anew')
      await refuseWhenFull()
      const { at, bytes } = newHandle()
      folder ??= openUploadFolder()
      const target = path.join(await folder, String(at))
      const file = await open(target, 'wx', 0o600)
      if (isClosed) return file.close()
      drafts.set(at, { name, path: target, file, byte_size: 0, writing: new Set() })
      sftp.handle(id, bytes)
    }),
  )
  sftp.on('WRITE', (id, handle, offset, data) =>
    answer(id, async () => {
      const draft = drafts.get(handleOf(handle))
      if (!draft) throw failed('This is no open file')
      const end = offset + data.length
      if (end > file_bytes_max) {
        await drop(handleOf(handle))
        throw failed(`A file may have ${file_bytes_max / 1_024_000} MB`)
      }
      draft.byte_size = Math.max(draft.byte_size, end)
      const written = draft.file.write(data, 0, data.length, offset)
      draft.writing.add(written)
      await written.finally(() => draft.writing.delete(written))
      done(id)
    }),
  )
  sftp.on('CLOSE', (id, handle) =>
    answer(id, async () => {
      const at = handleOf(handle)
      const draft = drafts.get(at)
      if (!draft) {
        if (!listings.delete(at)) throw failed('This is not open')
        return done(id)
      }
      drafts.delete(at)
      try {
        await Promise.all(draft.writing)
        await draft.file.sync()
      } finally {
        await draft.file.close()
      }
      const { size } = await stat(draft.path)
      await needs.spend(size)
      await inbox.put(address, draft.name, draft.path)
      done(id)
    }),
  )
  sftp.on('RENAME', (id, from, to) =>
    answer(id, async () => {
      const [one, other] = [await find(plain(from), null), plain(to)]
      if (!(await inbox.rename(address, one.id, other))) throw noSuch()
      done(id)
    }),
  )
  sftp.on('REMOVE', (id, asked) =>
    answer(id, async () => {
      const { id: which } = await find(plain(asked), null)
      await inbox.remove(address, which)
      done(id)
    }),
  )
  const refuse = (sentence: string) => (id: number) => answer(id, () => Promise.reject(denied(sentence)))
  sftp.on('READ', refuse('Files can only be sent here'))
  sftp.on('MKDIR', refuse('There are no other folders here'))
  sftp.on('RMDIR', refuse('There are no other folders here'))
  sftp.on('SYMLINK', refuse('There are no links here'))
  sftp.on('READLINK', refuse('There are no links here'))
  sftp.on('error', (err: unknown) => log.debug({ err }, 'a sender of files said something wrong'))

  async function drop(at: number) {
    const draft = drafts.get(at)
    drafts.delete(at)
    await draft?.file.close().catch(() => {})
    if (draft) await rm(draft.path, { force: true })
  }
  // A client that has said its last waits for us to close.
  sftp.on('end', () => sftp.end())
  sftp.on('close', () => {
    isClosed = true
    void (async () => {
      for (const at of drafts.keys()) await drop(at)
      if (folder) await rm(await folder, { recursive: true, force: true, maxRetries: 3 })
    })().catch((err: unknown) => log.warn({ err }, 'what was broken off could not be removed'))
  })
}

const modes = { folder: 0o040700, file: 0o100600 }
/** Null: of a folder. */
function attributesOf(file: Pick<InboxFile, 'byte_size' | 'changed_at'> | null): Attributes {
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
