// Open storage: a folder or a bucket, according to the operator's setting.
import path from 'node:path'
import { openFolder } from './folder.ts'
import { openInboxFolder } from './inbox-folder.ts'
import type { Inbox } from './inbox.ts'
import type { Storage } from './storage.ts'

/**
 * @param url `file:/var/lib/foyer/files`, or `s3://bucket/folder?endpoint=https://s3.example.com&region=eu-central-1`
 * @param away told in a sentence that a bucket does not answer now; without it, that is an error, too
 * @throws CannotStart if there is no such bucket
 */
export async function openStorage(url: string, away?: (sentence: string) => void): Promise<Storage> {
  if (new URL(url).protocol === 'file:') return openFolder(url)
  // Imported only if needed: the library is large.
  const { openBucket } = await import('./bucket.ts')
  return openBucket(url, away)
}

/**
 * @param storage_url in a bucket, beside the files of customers; else in a folder of `data_dir`, which nodes with the role `jobs` share
 */
export async function openInbox(storage_url: string, data_dir: string): Promise<Inbox> {
  if (new URL(storage_url).protocol === 'file:') return openInboxFolder(path.join(data_dir, 'inbox'))
  const { openInboxBucket } = await import('./inbox-bucket.ts')
  return openInboxBucket(storage_url)
}
