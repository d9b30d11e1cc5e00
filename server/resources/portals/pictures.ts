// Pictures: how a record keeps a picture that guests see (re-encoded, stored, referred to by a column), and how it is answered.
import { sql } from 'kysely'
import type { FileField } from '#contract/shapes.ts'
import type { Caller } from '#server/access/principal.ts'
import { invalid } from '#server/errors/refused.ts'
import { column } from '#server/entities/entity.ts'
import { storeFile, type StoredFile } from '#server/files/keep.ts'
import type { Frame } from '#server/files/picture-limits.ts'
import { redrawPicture, UnreadablePicture } from '#server/files/pictures.ts'
import type { UploadedFile } from '#server/files/receive.ts'
import type { Storage } from '#server/files/storage.ts'

/** Re-encodes a field's picture and stores the result. Nothing else of the upload is kept. */
export async function storePicture(
  storage: Storage,
  { customer_id }: Caller,
  { field, image, frame }: { field: string; image: FileField; frame: Frame },
): Promise<StoredFile> {
  try {
    const { bytes: content, ...drawn } = await redrawPicture(image as UploadedFile, frame)
    return await storeFile(storage, customer_id, { ...drawn, content, name: image.name.slice(-255) })
  } catch (error) {
    throw error instanceof UnreadablePicture ? invalid({ [field]: [error.message] }) : error
  }
}

type PictureColumn = 'image_file_id' | 'logo_file_id' | 'portal_image_file_id'

const fileOf = (by: PictureColumn, value: ReturnType<typeof sql>) => sql`
  (select ${value} from files as f where f.customer_id = t.customer_id and f.id = ${column(by)})`

/** `{name, width, height}` of the stored picture, or null. */
export const pictureOf = (by: PictureColumn) =>
  fileOf(by, sql`json_build_object('name', f.name, 'width', coalesce(f.width, 0), 'height', coalesce(f.height, 0))`)

/** Its public URL, or null. */
export const pictureUrlOf = (by: PictureColumn, portal_url: string) =>
  fileOf(by, sql`${`${portal_url}/pictures/`}::text || f.public_id`)
