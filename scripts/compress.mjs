// Compress: writes a brotli and a gzip copy of each file of the web app, so that the server never compresses the same bytes twice.

import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const worth_bytes_min = 1000
const text = /\.(js|css|svg|json|webmanifest)$/

/** Takes a second or two. Pictures, fonts and source maps are left as they are. */
export async function compress(folder) {
  const files = fs.readdirSync(folder, { recursive: true }).map((name) => path.join(folder, name))
  await Promise.all(files.filter((file) => text.test(file)).map(copies))
}

async function copies(file) {
  const content = fs.readFileSync(file)
  if (content.length < worth_bytes_min) return
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }
  fs.writeFileSync(`${file}.br`, await promisify(brotliCompress)(content, quality))
  fs.writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
}
