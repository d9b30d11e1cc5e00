// Inbox folder: inboxes as folders of this machine, or of one that several machines share. Names are kept as the bytes that they are: a
// system of another make may write them in any encoding. Nothing that is no plain file is ever opened.
import { constants, createWriteStream } from 'node:fs'
import { copyFile, lstat, mkdir, open, opendir, rename, rm, utimes, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { hasCode } from '#server/errors/thrown.ts'
import {
  checkedAddress,
  files_max,
  isAddress,
  isShelf,
  shelvedName,
  type Inbox,
  type InboxFile,
  type Shelf,
} from './inbox.ts'

const unlessAbsent = (error: unknown) => {
  if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) throw error
  return null
}
const at_once = 64

export function openInboxFolder(root: string): Inbox {
  const folderOf = (address: string, shelf?: Shelf) => path.join(root, checkedAddress(address), shelf ?? '')
  /** An id has the bytes of the name as letters of Latin-1. */
  const fileOf = (address: string, id: string, shelf?: Shelf) => {
    const bytes = Buffer.from(id, 'latin1')
    if (id === '' || id === '.' || id === '..' || bytes.includes('/') || bytes.includes(0))
      throw new Error('this is no name of a file')
    return Buffer.concat([Buffer.from(`${folderOf(address, shelf)}/`), bytes])
  }
  const idOf = (name: string) => Buffer.from(name).toString('latin1')

  async function namesIn(folder: string, matches: (name: string) => boolean) {
    const found: string[] = []
    // A link in place of the folder leads elsewhere.
    const isFolder = (await lstat(folder).catch(unlessAbsent))?.isDirectory()
    if (isFolder !== true) return found
    const entries = await opendir(folder, { encoding: 'latin1' as BufferEncoding }).catch(unlessAbsent)
    if (entries === null) return found
    for await (const { name } of entries) {
      if (matches(name)) found.push(name)
      if (found.length >= files_max) break
    }
    return found
  }
  const fileIn = async (address: string, id: string, shelf?: Shelf): Promise<InboxFile | null> => {
    const found = await lstat(fileOf(address, id, shelf)).catch(unlessAbsent)
    if (found === null || found.isDirectory()) return null
    // Of a moment that has not come yet it is only known when it was last moved or written here.
    const changed_at = found.mtimeMs > Date.now() ? found.ctime : found.mtime
    const name = Buffer.from(id, 'latin1').toString('utf8')
    return { id, name, byte_size: found.size, changed_at, is_file: found.isFile() }
  }

  return {
    addresses: () => namesIn(root, isAddress),
    async list(address, shelf) {
      // What begins with a point is still being written, or no list.
      const hidden = (name: string) => name.startsWith('.') || (shelf === undefined && isShelf(name))
      const ids = await namesIn(folderOf(address, shelf), (name) => !hidden(name))
      const found: (InboxFile | null)[] = []
      for (let from = 0; from < ids.length; from += at_once)
        found.push(...(await Promise.all(ids.slice(from, from + at_once).map((id) => fileIn(address, id, shelf)))))
      return found.filter((file) => file !== null)
    },
    async copy(address, id, { target, byte_size_max }) {
      // Neither follows a link nor waits for whoever writes to a pipe.
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
      const file: FileHandle | null = await open(fileOf(address, id), flags).catch(unlessAbsent)
      if (file === null) return false
      try {
        const found = await file.stat()
        if (!found.isFile() || found.size > byte_size_max) return false
        const content = file.createReadStream({ autoClose: false, end: byte_size_max })
        await pipeline(content, createWriteStream(target, { flags: 'wx', mode: 0o600 }))
        return (await lstat(target)).size <= byte_size_max
      } finally {
        await file.close()
      }
    },
    async put(address, name, source) {
      const folder = folderOf(address)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const target = fileOf(address, idOf(name))
      await rename(source, target).catch(async (error: unknown) => {
        if (!hasCode(error, 'EXDEV')) throw error
        const beside = path.join(folder, `.${path.basename(source)}`)
        await copyFile(source, beside, constants.COPYFILE_EXCL)
        await rename(beside, target)
        await rm(source, { force: true })
      })
    },
    async rename(address, from, to) {
      return (await rename(fileOf(address, from), fileOf(address, idOf(to))).catch(unlessAbsent)) !== null
    },
    async putAway(address, id, shelf) {
      await mkdir(folderOf(address, shelf), { recursive: true, mode: 0o700 })
      const now = new Date()
      const name = shelvedName(Buffer.from(id, 'latin1').toString('utf8'), now)
      const target = fileOf(address, idOf(name), shelf)
      const moved = await rename(fileOf(address, id), target).catch(unlessAbsent)
      // How long it is kept counts from now on.
      if (moved !== null && (await lstat(target)).isFile()) await utimes(target, now, now)
    },
    remove: (address, id, shelf) => rm(fileOf(address, id, shelf), { force: true }),
  }
}
