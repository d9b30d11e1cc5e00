// Pictures: what may be uploaded where a picture is asked for. It is drawn anew on the server, so that nothing else of the
// file is kept.
import { z } from 'zod'
import { count, file } from './shapes.ts'

export const picture = {
  types: ['.jpg', '.jpeg', '.png'],
  file_bytes_max: 5_120_000,
  /** Width times height, as the file has it. */
  pixels_max: 25_000_000,
} as const

export const pictureFile = () => file(picture.types, picture.file_bytes_max)

/** As it is kept: drawn anew, without what else the file held, and no larger than guests see it. */
export const Picture = z.object({ name: z.string(), width: count, height: count })
