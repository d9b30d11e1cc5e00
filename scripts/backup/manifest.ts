// Manifest: the first entry of a backup, which describes it, so that an incompatible program can refuse before it unpacks anything.
import { z } from 'zod'
import { CannotStart } from '#server/start/cannot-start.ts'

export const manifest_name = 'about.json'
export const format = 1
/** PostgreSQL cannot read the files of another major version. */
export const postgres_major = 18

export const Manifest = z.object({
  format: z.int(),
  made_at: z.string(),
  postgres_major: z.int(),
  /** Whether the backup contains the secret key. It does not if the operator keeps it (SECRET_KEY). */
  has_key: z.boolean(),
})
export type Manifest = z.output<typeof Manifest>

export function readManifest(text: string, called: string): Manifest {
  const manifest = Manifest.safeParse(JSON.parse(text)).data
  if (!manifest) throw new CannotStart(`${called} is not a backup of Foyer.`)
  if (manifest.format !== format || manifest.postgres_major !== postgres_major)
    throw new CannotStart(
      `${called} was made by another version of Foyer (format ${manifest.format}, PostgreSQL ${manifest.postgres_major}). ` +
        'Restore it with that one, and start this one on what it restored.',
    )
  return manifest
}
