// Portal pages: the table of files from a custom portal's zip. They are written all at once, never changed, and kept for the
// versions that show them.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { keepFiles, type StoredContent } from '#server/files/keep.ts'
import type { Storage } from '#server/files/storage.ts'

/** The number of the next zip; the caller has locked the portal. */
export async function nextZipOf(scope: Scope, portal_id: number): Promise<number> {
  const [row] = await scope.run(sql<{ number: number }>`
    select coalesce(max(t.zip_number), 0) + 1 as number from portal_files as t
    where t.portal_id = ${portal_id} and ${scope.inReach('portal_files', 't')}`)
  return row?.number ?? 1
}

/** The names of `pages` are their paths. */
export async function writePages(
  scope: Scope,
  storage: Storage,
  { portal_id, zip_number, pages }: { portal_id: number; zip_number: number; pages: StoredContent[] },
) {
  const ids = await keepFiles(scope, storage, pages)
  const rows = [...ids].map(([path, file_id]) => ({ portal_id, zip_number, path, file_id }))
  await scope.insertMany('portal_files', rows)
}

/** Copies the pages to another portal, as its first zip. */
export async function copyPages(
  scope: Scope,
  { from, zip_number, to }: { from: number; zip_number: number; to: number },
) {
  await scope.run(sql`
    insert into portal_files (portal_id, zip_number, path, file_id)
    select ${to}, 1, t.path, t.file_id from portal_files as t
    where t.portal_id = ${from} and t.zip_number = ${zip_number} and ${scope.inReach('portal_files', 't')}`)
}
