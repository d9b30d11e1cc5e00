// Open storage: a folder or a bucket, as the operator's setting says.
import { openFolder } from './folder.ts'
import type { Storage } from './storage.ts'

/**
 * @param url `file:/var/lib/foyer/files`, or `s3://bucket/folder?endpoint=https://s3.example.com&region=eu-central-1`. Throws
 * `CannotStart` where there is no such bucket.
 */
export async function openStorage(url: string): Promise<Storage> {
  if (new URL(url).protocol === 'file:') return openFolder(url)
  // Whoever keeps files in a folder need not read the library of those who do not.
  const { openBucket } = await import('./bucket.ts')
  return openBucket(url)
}
