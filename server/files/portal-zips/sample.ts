// Sample: the custom portal that people start from, packed from the files in sample/, and the script for pages in runtime/.
// Both are next to this file, in the sources as well as in dist.
import fs from 'node:fs'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { ZipFile } from 'yazl'

const pathOf = (name: string) => path.join(import.meta.dirname, name)

export const runtime = fs.readFileSync(pathOf('runtime/v1.js'), 'utf8')

/** The same bytes each time: it contains no time of packing. */
async function packed(): Promise<Buffer> {
  const zip = new ZipFile()
  for (const name of fs.readdirSync(pathOf('sample')).toSorted())
    zip.addFile(path.join(pathOf('sample'), name), name, { mtime: new Date(2026, 0, 1), mode: 0o100644 })
  zip.end()
  return buffer(zip.outputStream)
}

let sample: Promise<Buffer> | undefined
export const samplePortal = () => (sample ??= packed())

/** Served like the templates of imports (server/files/import-templates.ts), to anyone. */
export function servePortalSample(app: FastifyInstance) {
  for (const base of ['/files', '/api/v1/files'])
    app.get(`${base}/portal.zip`, async (_request, reply) =>
      reply
        .type('application/zip')
        .header('content-disposition', 'attachment; filename="portal.zip"')
        .header('cache-control', 'public, max-age=3600')
        .send(await samplePortal()),
    )
}
