// Pictures: what may be uploaded where a picture is asked for. It is drawn anew on the server, so that nothing else of the
// file is kept.
import { z } from 'zod'
import { constants } from './constants.ts'
import { count, file } from './shapes.ts'

export const pictureFile = () => file(constants.picture.types, constants.picture.file_bytes_max)

/** As it is kept: drawn anew, without what else the file held, and no larger than guests see it. */
export const Picture = z.object({ name: z.string(), width: count, height: count })
