// SFTP folder: the one folder that a sender of files sees. Files are received whole: one becomes visible under its name when it is closed,
// and what was broken off never does.
import { open, rm, stat, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import ssh2, { type SFTPWrapper } from 'ssh2'
import { constants } from '#contract/constants.ts'
import { Refused } from '#server/errors/refused.ts'
import { isShelf, shelves, type Inbox, type InboxFile, type Shelf } from '#server/files/inbox.ts'
import { openUploadFolder } from '#server/files/receive.ts'
import type { Log } from '#server/watch/log.ts'
import { attributesOf, Denied, denied, sftpFailure, noSuch, sftpPlaceOf, plain } from './sftp-paths.ts'

const { STATUS_CODE, OPEN_MODE } = ssh2.utils.sftp
const { file_bytes_max } = constants.import
/** Of one inbox: files that wait to be read, and their bytes. */
const files_max = 1000
const bytes_max = 20 * file_bytes_max
const handles_max = 16
const names_at_once = 100

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

interface Draft {
  name: string
  path: string
  file: FileHandle
  byte_size: number
  writing: Set<Promise<unknown>>
}

/** A folder that is open to one sender. */
interface Folder {
  sftp: SFTPWrapper
  needs: Needs
  /** Files that are being sent, and what is left of listings, by their handles. */
  drafts: Map<number, Draft>
  listings: Map<number, string[]>
  last_handle: number
  /** Where drafts are written; made for the first one. */
  drafts_folder: Promise<string> | undefined
  is_closed: boolean
}

export function serveFolder(sftp: SFTPWrapper, needs: Needs) {
  const folder: Folder = {
    sftp,
    needs,
    drafts: new Map(),
    listings: new Map(),
    last_handle: 0,
    drafts_folder: undefined,
    is_closed: false,
  }
  tellAttributes(folder)
  tellNames(folder)
  receiveFiles(folder)
  renameAndRemove(folder)
  refuseAllElse(folder)
  const { log } = needs
  sftp.on('error', (err: unknown) => log.debug({ err }, 'an SFTP client sent something invalid'))
  // A client that has said its last waits for us to close.
  sftp.on('end', () => sftp.end())
  sftp.on('close', () => {
    folder.is_closed = true
    dropAll(folder).catch((err: unknown) => log.warn({ err }, 'an interrupted upload could not be removed'))
  })
}

/** Answers a request, one way or the other. */
function answer(folder: Folder, id: number, work: () => Promise<void>) {
  const { sftp, needs } = folder
  needs.touch()
  work().catch((error: unknown) => {
    if (folder.is_closed) return
    if (error instanceof Denied) return sftp.status(id, error.code, error.message)
    if (error instanceof Refused) return sftp.status(id, STATUS_CODE.FAILURE, error.message)
    needs.log.warn({ err: error }, 'a file could not be received')
    return sftp.status(id, STATUS_CODE.FAILURE, 'Something went wrong here')
  })
}
const done = ({ sftp }: Folder, id: number) => sftp.status(id, STATUS_CODE.OK)

const handleOf = (bytes: Buffer) => (bytes.length === 4 ? bytes.readUInt32BE() : -1)
function newHandle(folder: Folder) {
  if (folder.drafts.size + folder.listings.size >= handles_max) throw sftpFailure('Too many files are open')
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(++folder.last_handle)
  return { at: folder.last_handle, bytes }
}

async function find({ needs: { inbox, address } }: Folder, name: string, shelf: Shelf | null): Promise<InboxFile> {
  const found = (await inbox.list(address, shelf ?? undefined)).find((file) => file.name === name)
  if (!found) throw noSuch()
  return found
}

function tellAttributes(folder: Folder) {
  const { sftp } = folder
  sftp.on('REALPATH', (id, asked) =>
    answer(folder, id, async () => {
      const place = sftpPlaceOf(asked)
      const filename =
        'name' in place ? `/${place.shelf === null ? '' : `${place.shelf}/`}${place.name}` : `/${place.folder ?? ''}`
      sftp.name(id, [{ filename, longname: filename, attrs: attributesOf(null) }])
    }),
  )
  const lookAt = (id: number, path: string) =>
    answer(folder, id, async () => {
      const place = sftpPlaceOf(path)
      sftp.attrs(id, attributesOf('name' in place ? await find(folder, place.name, place.shelf) : null))
    })
  sftp.on('STAT', lookAt)
  sftp.on('LSTAT', lookAt)
  sftp.on('FSTAT', (id, handle) =>
    answer(folder, id, async () => {
      const draft = folder.drafts.get(handleOf(handle))
      if (!draft) throw sftpFailure('This file is not open')
      const { byte_size } = draft
      sftp.attrs(id, attributesOf({ byte_size, changed_at: new Date() }))
    }),
  )
  // Times and rights are ours: many programs set them and give up where they cannot.
  sftp.on('SETSTAT', (id, asked) => answer(folder, id, async () => (plain(asked), done(folder, id))))
  sftp.on('FSETSTAT', (id) => answer(folder, id, async () => done(folder, id)))
}

function tellNames(folder: Folder) {
  const { sftp, needs } = folder
  const { inbox, address } = needs
  sftp.on('OPENDIR', (id, asked) =>
    answer(folder, id, async () => {
      const place = sftpPlaceOf(asked)
      if ('name' in place) throw noSuch()
      const files = await inbox.list(address, place.folder ?? undefined)
      const { at, bytes } = newHandle(folder)
      const names = files.toSorted((one, other) => (one.name < other.name ? -1 : 1)).map(({ name }) => name)
      folder.listings.set(at, place.folder === null ? [...shelves, ...names] : names)
      sftp.handle(id, bytes)
    }),
  )
  sftp.on('READDIR', (id, handle) =>
    answer(folder, id, async () => {
      const left = folder.listings.get(handleOf(handle))
      if (!left) throw sftpFailure('This folder is not open')
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
}

async function refuseWhenFull({ needs, drafts }: Folder) {
  const { inbox, address } = needs
  if (!needs.hasRoom()) throw sftpFailure('There is no room at present')
  const waiting = await inbox.list(address)
  const bytes = waiting.reduce((sum, { byte_size }) => sum + byte_size, 0)
  if (waiting.length + drafts.size >= files_max) throw sftpFailure(`More than ${files_max} files wait to be read`)
  if (bytes >= bytes_max) throw sftpFailure('The files that wait to be read are too large')
}

function receiveFiles(folder: Folder) {
  const { sftp, needs } = folder
  const { inbox, address } = needs
  sftp.on('OPEN', (id, asked, flags) =>
    answer(folder, id, async () => {
      const name = plain(asked)
      if ((flags & OPEN_MODE.READ) !== 0 || (flags & OPEN_MODE.WRITE) === 0) throw denied('Files can only be sent here')
      if ((flags & OPEN_MODE.APPEND) !== 0) throw denied('Send the whole file again')
      await refuseWhenFull(folder)
      const { at, bytes } = newHandle(folder)
      folder.drafts_folder ??= openUploadFolder()
      const target = path.join(await folder.drafts_folder, String(at))
      const file = await open(target, 'wx', 0o600)
      if (folder.is_closed) return file.close()
      folder.drafts.set(at, { name, path: target, file, byte_size: 0, writing: new Set() })
      sftp.handle(id, bytes)
    }),
  )
  sftp.on('WRITE', (id, handle, offset, data) =>
    answer(folder, id, async () => {
      const draft = folder.drafts.get(handleOf(handle))
      if (!draft) throw sftpFailure('This file is not open')
      const end = offset + data.length
      if (end > file_bytes_max) {
        await drop(folder, handleOf(handle))
        throw sftpFailure(`A file may have at most ${file_bytes_max / 1_024_000} MB`)
      }
      draft.byte_size = Math.max(draft.byte_size, end)
      const written = draft.file.write(data, 0, data.length, offset)
      draft.writing.add(written)
      await written.finally(() => draft.writing.delete(written))
      done(folder, id)
    }),
  )
  sftp.on('CLOSE', (id, handle) =>
    answer(folder, id, async () => {
      const at = handleOf(handle)
      const draft = folder.drafts.get(at)
      if (!draft) {
        if (!folder.listings.delete(at)) throw sftpFailure('This is not open')
        return done(folder, id)
      }
      folder.drafts.delete(at)
      try {
        await Promise.all(draft.writing)
        await draft.file.sync()
      } finally {
        await draft.file.close()
      }
      const { size } = await stat(draft.path)
      await needs.spend(size)
      await inbox.put(address, draft.name, draft.path)
      done(folder, id)
    }),
  )
}

function renameAndRemove(folder: Folder) {
  const { sftp, needs } = folder
  const { inbox, address } = needs
  sftp.on('RENAME', (id, from, to) =>
    answer(folder, id, async () => {
      const [one, other] = [await find(folder, plain(from), null), plain(to)]
      if (!(await inbox.rename(address, one.id, other))) throw noSuch()
      done(folder, id)
    }),
  )
  sftp.on('REMOVE', (id, asked) =>
    answer(folder, id, async () => {
      const { id: which } = await find(folder, plain(asked), null)
      await inbox.remove(address, which)
      done(folder, id)
    }),
  )
}

function refuseAllElse(folder: Folder) {
  const { sftp } = folder
  const refuse = (sentence: string) => (id: number) => answer(folder, id, () => Promise.reject(denied(sentence)))
  sftp.on('READ', refuse('Files can only be sent here'))
  sftp.on('MKDIR', refuse('There are no other folders here'))
  sftp.on('RMDIR', refuse('There are no other folders here'))
  sftp.on('SYMLINK', refuse('There are no links here'))
  sftp.on('READLINK', refuse('There are no links here'))
}

async function drop({ drafts }: Folder, at: number) {
  const draft = drafts.get(at)
  drafts.delete(at)
  await draft?.file.close().catch(() => {})
  if (draft) await rm(draft.path, { force: true })
}

async function dropAll(folder: Folder) {
  for (const at of folder.drafts.keys()) await drop(folder, at)
  if (folder.drafts_folder) await rm(await folder.drafts_folder, { recursive: true, force: true, maxRetries: 3 })
}
