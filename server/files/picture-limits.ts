// Picture limits: how large a kept picture is, why one is refused, and what its reader tells the server.
import { constants } from '#contract/constants.ts'

/** It is drawn no larger than this, and never larger than it was: twice what a page for guests is wide. */
export interface Frame {
  width_max: number
  height_max: number
}

/** Why a picture is refused. The reader says the word; the sentence is the server's own. */
export const sentences = {
  notPicture: 'This is not a picture that can be shown. Choose a .jpg, .jpeg or .png file.',
  damaged: 'This picture is damaged or incomplete. Open it in a picture program, save it again and try again.',
  tooManyPixels: `This picture has more than ${constants.picture.pixels_max / 1_000_000} million pixels. Make it smaller and try again.`,
  tooMuch: 'This picture takes too much to read. Open it in a picture program, save it again and try again.',
} as const
export type Unreadable = keyof typeof sentences

/** The first line of what the reader writes; the picture's bytes come after it. */
export type Told = { content_type: 'image/jpeg' | 'image/png'; width: number; height: number } | { unreadable: unknown }
