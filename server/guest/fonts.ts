// Fonts: the files of the seven that portals are set in, from our own origin. A preview in the admin app asks its own.
import fs from 'node:fs'
import { createRequire } from 'node:module'
import type { FastifyInstance } from 'fastify'
import { fontAddress, fonts } from '#portal/fonts.ts'

const { resolve } = createRequire(import.meta.url)

const headers = {
  'content-type': 'font/woff2',
  'x-content-type-options': 'nosniff',
  // Another content has another address.
  'cache-control': 'public, max-age=31536000, immutable',
  // A sandboxed frame has no origin of its own, and fonts are asked for across origins.
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
