// Pictures: what may be uploaded as a picture. The server re-encodes it, so that nothing else in the file is kept.
import { z } from 'zod'
import { constants } from './constants.ts'
import { count, file } from './shapes.ts'

export const pictureFile = () => file(constants.picture.types, constants.picture.file_bytes_max)

/** A stored picture: re-encoded, without anything else from the file, and no larger than guests see it. */
export const Picture = z.object({ name: z.string(), width: count, height: count })
