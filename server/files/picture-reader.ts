// Picture reader: the process that decodes and re-encodes an untrusted picture. It gets the file as its input, no secrets, no
// right to write or to start anything, and little memory and time (confined.ts). It writes one line of JSON, then bytes.
import fs from 'node:fs'
import sharp from 'sharp'
import { constants } from '#contract/constants.ts'
import type { Frame, PictureResult, PictureFault } from './picture-limits.ts'

const input = 0

// Only these two of the library's formats: no SVG, no PDF, nothing that loads other files.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] })
sharp.cache(false)
sharp.concurrency(1)

/** By its first bytes; the name proves nothing. */
function kindOf(bytes: Buffer): 'jpeg' | 'png' | undefined {
  const start = bytes.subarray(0, 8).toString('hex')
  if (start === '89504e470d0a1a0a') return 'png'
  return start.startsWith('ffd8ff') ? 'jpeg' : undefined
}

const unreadable = (why: PictureFault): [PictureResult, Buffer?] => [{ unreadable: why }]

async function drawn(bytes: Buffer, { width_max, height_max }: Frame): Promise<[PictureResult, Buffer?]> {
  const kind = kindOf(bytes)
  if (!kind) return unreadable('notPicture')
  try {
    const source = sharp(bytes, { limitInputPixels: false, failOn: 'error' })
    const { width, height, format } = await source.metadata()
    if (format !== kind) return unreadable('notPicture')
    // According to the file's header; the real number of pixels is limited below.
    if (width * height > constants.picture.pixels_max) return unreadable('tooManyPixels')
    const limited = sharp(bytes, { limitInputPixels: constants.picture.pixels_max, failOn: 'error' })
    // Rotated according to the metadata, because no metadata is kept.
    const upright = limited
      .autoOrient()
      .resize({ width: width_max, height: height_max, fit: 'inside', withoutEnlargement: true })
    const encoded = kind === 'png' ? upright.png({ compressionLevel: 9 }) : upright.jpeg({ quality: 84, mozjpeg: true })
    const { data, info } = await encoded.toBuffer({ resolveWithObject: true })
    return [{ content_type: `image/${kind}`, width: info.width, height: info.height }, data]
  } catch {
    return unreadable('damaged')
  }
}

const [result, picture_bytes] = await drawn(fs.readFileSync(input), JSON.parse(process.argv[2] ?? '{}') as Frame)
process.stdout.write(`${JSON.stringify(result)}\n`)
if (picture_bytes) process.stdout.write(picture_bytes)
