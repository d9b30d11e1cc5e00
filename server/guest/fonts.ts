// Fonts: the files of the portals' seven fonts, from our own origin. A preview in the admin app loads them from that app's origin.
import fs from 'node:fs'
import { createRequire } from 'node:module'
import type { FastifyInstance } from 'fastify'
import { fontAddress, fonts } from '#portal/fonts.ts'

const { resolve } = createRequire(import.meta.url)

const headers = {
  'content-type': 'font/woff2',
  'x-content-type-options': 'nosniff',
  // Changed content gets another address.
  'cache-control': 'public, max-age=31536000, immutable',
  // A sandboxed frame has no origin, so it loads fonts cross-origin.
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

/** Two dozen small files, read once. */
export function serveFonts(app: FastifyInstance) {
  for (const font of Object.values(fonts))
    for (const face of font.faces) {
      const file = `@fontsource/${font.name}/files/${font.name}-${face.subset}-${face.weight}-normal.woff2`
      const content = fs.readFileSync(resolve(file))
      app.get(fontAddress(font, face), (_request, reply) => reply.headers(headers).send(content))
    }
}
