// Pictures for tests: valid ones, and hostile ones.
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { aFile } from '#test/uploads.ts'

interface Wanted {
  width?: number
  height?: number
  colour?: string
}

const drawn = ({ width = 640, height = 160, colour = '#2671ff' }: Wanted) =>
  sharp({ create: { width, height, channels: 4, background: colour } })

export const pngOf = (wanted: Wanted = {}) => drawn(wanted).png().toBuffer()

/** Like a camera's: rotated, with the location where it was taken, and a comment. */
export const photoOf = (wanted: Wanted = {}) =>
  drawn(wanted)
    .flatten()
    .jpeg()
    .withExif({ IFD0: { ImageDescription: 'hunter2' }, IFD3: { GPSLatitude: '51/1 28/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .toBuffer()

const chunk = (kind: string, content: Buffer) => {
  const typed = Buffer.concat([Buffer.from(kind), content])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, sum])
}

/** A PNG with an arbitrary header; its rows are empty. */
export function pngSaying(width: number, height: number, lines = 1): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 0, 0, 0, 0], 8)
  const content = deflateSync(Buffer.alloc((width + 1) * lines), { level: 9 })
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', content),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A small one that is accepted wherever a picture is needed. */
export const aPicture = (name = 'footer.png') => aFile(name, pngSaying(8, 8, 8))
