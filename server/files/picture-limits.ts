// Picture limits: the size of stored pictures, why one is refused, and what its reader reports to the server.
import { constants } from '#contract/constants.ts'

/** A picture is scaled down to fit this, and never enlarged: twice the width of a page for guests. */
export interface Frame {
  width_max: number
  height_max: number
}

/** Why a picture is refused. The reader reports the key; the sentence is the server's. */
export const pictureSentences = {
  notPicture: 'This is not a picture that can be shown. Choose a .jpg, .jpeg or .png file.',
  damaged: 'This picture is damaged or incomplete. Open it in a picture program, save it again and try again.',
  tooManyPixels: `This picture has more than ${constants.picture.pixels_max / 1_000_000} million pixels. Make it smaller and try again.`,
  tooMuch: 'This picture is too complex to read. Open it in a picture program, save it again and try again.',
} as const
export type PictureFault = keyof typeof pictureSentences

/** The first line of the reader's output; the picture's bytes follow. */
export type PictureResult =
  { content_type: 'image/jpeg' | 'image/png'; width: number; height: number } | { unreadable: unknown }
