// Pictures: uploads, re-encoded in a confined process, so that none of the original bytes are kept: no location where it was
// taken, no page or program hidden in it.
import type { Readable } from 'node:stream'
import { atOnce, Turns } from '#server/turns/turns.ts'
import { ProcessFailed, confined, scriptBeside, type Caps } from '#server/turns/confined.ts'
import { pictureSentences, type Frame, type PictureResult, type PictureFault } from './picture-limits.ts'

export interface Picture {
  content_type: 'image/jpeg' | 'image/png'
  width: number
  height: number
  bytes: Buffer
}

/** Says why a picture is refused. */
export class UnreadablePicture extends Error {
  override name = 'UnreadablePicture'
  constructor(why: PictureFault) {
    super(pictureSentences[why])
  }
}

/** Measured: 25 million pixels of an interlaced PNG with 16 bits a colour take 330 MB and 1.5 s of one core. */
const caps: Caps = { heap_mb: 96, data_mb: 1024, cpu_s: 15 }

const readers = new Turns(atOnce(2))

/** A node reads two pictures at once. Throws `UnreadablePicture`. */
export async function redrawPicture(file: { path: string }, frame: Frame): Promise<Picture> {
  using _turn = await readers.take()
  const script = scriptBeside(import.meta.dirname, 'picture-reader')
  const work = { script, args: [JSON.stringify(frame)], input: file.path, caps, addons: true }
  try {
    const pieces: Buffer[] = []
    for await (const piece of confined(work, piecesOf)) pieces.push(piece)
    return pictureIn(Buffer.concat(pieces))
  } catch (error) {
    throw error instanceof ProcessFailed ? new UnreadablePicture('tooMuch') : error
  }
}

async function* piecesOf(output: Readable): AsyncGenerator<Buffer> {
  for await (const piece of output) yield piece as Buffer
}

function pictureIn(output: Buffer): Picture {
  const end = output.indexOf('\n')
  const result = JSON.parse(output.subarray(0, end).toString()) as PictureResult
  if ('unreadable' in result) throw new UnreadablePicture(isWhy(result.unreadable) ? result.unreadable : 'damaged')
  return { ...result, bytes: output.subarray(end + 1) }
}

const isWhy = (word: unknown): word is PictureFault => typeof word === 'string' && Object.hasOwn(pictureSentences, word)
