// Open storage: a folder or a bucket, according to the operator's setting.
import { openFolder } from './folder.ts'
import type { Storage } from './storage.ts'

/**
 * @param url `file:/var/lib/foyer/files`, or `s3://bucket/folder?endpoint=https://s3.example.com&region=eu-central-1`. Throws
 * `CannotStart` if there is no such bucket.
 */
export async function openStorage(url: string): Promise<Storage> {
  if (new URL(url).protocol === 'file:') return openFolder(url)
  // Imported only if needed: the library is large.
  const { openBucket } = await import('./bucket.ts')
  return openBucket(url)
}
