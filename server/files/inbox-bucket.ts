// Inbox bucket: inboxes as parts of the bucket, `inbox/<address>/`. An object is there as a whole or not at all.
import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { answered, partOf, unlessAbsent, whileOpen } from './bucket.ts'
import { checkedAddress, files_max, isAddress, isShelf, shelvedName, type Inbox, type Shelf } from './inbox.ts'

export function openInboxBucket(url: string): Inbox {
  const { bucket, client, keyOf } = partOf(url)
  const folderOf = (address: string, shelf?: Shelf) =>
    keyOf(`inbox/${checkedAddress(address)}/${shelf === undefined ? '' : `${shelf}/`}`)
  const objectOf = (address: string, id: string, shelf?: Shelf) => ({
    Bucket: bucket,
    Key: `${folderOf(address, shelf)}${id}`,
  })
  const pagesOf = (Prefix: string) => paginateListObjectsV2({ client }, { Bucket: bucket, Prefix, Delimiter: '/' })

  async function move(address: string, id: string, to: { Key: string }): Promise<boolean> {
    const from = objectOf(address, id)
    const source = [from.Bucket, ...from.Key.split('/')].map(encodeURIComponent).join('/')
    const copied = await unlessAbsent(client.send(new CopyObjectCommand({ Bucket: bucket, CopySource: source, ...to })))
    if (copied === null) return false
    await answered(client.send(new DeleteObjectCommand(from)))
    return true
  }

  return {
    addresses: () =>
      answered(
        (async () => {
          const root = keyOf('inbox/')
          const found: string[] = []
          for await (const { CommonPrefixes = [] } of pagesOf(root))
            found.push(...CommonPrefixes.map(({ Prefix = '' }) => Prefix.slice(root.length, -1)).filter(isAddress))
          return found
        })(),
      ),
    list: (address, shelf) =>
      answered(
        (async () => {
          const root = folderOf(address, shelf)
          const found: Awaited<ReturnType<Inbox['list']>> = []
          for await (const { Contents = [] } of pagesOf(root)) {
            for (const { Key = '', Size = 0, LastModified = new Date() } of Contents) {
              const id = Key.slice(root.length)
              if (id === '' || id.startsWith('.') || isShelf(id)) continue
              found.push({ id, name: id, byte_size: Size, changed_at: LastModified, is_file: true })
            }
            if (found.length >= files_max) break
          }
          return found.slice(0, files_max)
        })(),
      ),
    async copy(address, id, { target, byte_size_max }) {
      const found = await unlessAbsent(client.send(new GetObjectCommand(objectOf(address, id))))
      if (!(found?.Body instanceof Readable)) return false
      if ((found.ContentLength ?? Infinity) > byte_size_max) {
        found.Body.destroy()
        return false
      }
      await pipeline(found.Body, createWriteStream(target, { flags: 'wx', mode: 0o600 }))
      return (await stat(target)).size <= byte_size_max
    },
    async put(address, name, source) {
      const { size } = await stat(source)
      await whileOpen(createReadStream(source), (Body) =>
        answered(client.send(new PutObjectCommand({ ...objectOf(address, name), Body, ContentLength: size }))),
      )
      await rm(source, { force: true })
    },
    rename: (address, from, to) => move(address, from, { Key: objectOf(address, to).Key }),
    async putAway(address, id, shelf) {
      await move(address, id, { Key: objectOf(address, shelvedName(id), shelf).Key })
    },
    async remove(address, id, shelf) {
      await answered(client.send(new DeleteObjectCommand(objectOf(address, id, shelf))))
    },
  }
}
