// Receive: uploads that a killed process has left behind are removed at the next start; those of running processes stay. A failure to
// write an upload is not the upload's fault.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import multipart from '@fastify/multipart'
import fastify from 'fastify'
import { z } from 'zod'
import { file } from '#contract/shapes.ts'
import { invalid, Refused } from '#server/errors/refused.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { discardAbandonedUploads, receive } from '#server/files/receive.ts'

const former = process.env['TMPDIR']
let folder: string
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-left-'))
  process.env['TMPDIR'] = folder
})
afterEach(() => {
  if (former === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = former
  fs.rmSync(folder, { recursive: true, force: true })
})

test('a start removes the uploads of ended processes, and nothing else', async () => {
  const { pid: gone } = spawnSync(process.execPath, ['--version'])
  const kept = [`foyer-upload-${process.ppid}-abcdef`, 'foyer-upload-abcdef', 'somebody-elses-4711-abcdef']
  for (const name of [...kept, `foyer-upload-${gone}-abcdef`, `foyer-upload-${process.pid}-abcdef`]) {
    fs.mkdirSync(path.join(folder, name))
    fs.writeFileSync(path.join(folder, name, 'AccountImport'), 'name,password')
  }
  await discardAbandonedUploads()
  expect(fs.readdirSync(folder).toSorted()).toEqual(kept.toSorted())
})

/** What `receive` throws for an upload of one file; `meanwhile` runs before its content is sent. */
async function failureOf(meanwhile: () => void, content: string): Promise<unknown> {
  const schema = z.object({ list: file(['.csv'], 1000, 'Too large.') })
  const app = fastify()
  await app.register(multipart)
  const failed = new Promise<unknown>((resolve) => {
    app.post('/', (request) => receive(request, schema).then(resolve, resolve))
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  const request = http.request({ port, host: '127.0.0.1', method: 'POST', headers })
  try {
    request.flushHeaders()
    await expect.poll(() => fs.readdirSync(folder)).toHaveLength(1)
    meanwhile()
    request.end(content)
    await once(request, 'response')
    return await failed
  } finally {
    request.destroy()
    await app.close()
  }
}
const part = '--b\r\ncontent-disposition: form-data; name="list"; filename="list.csv"\r\n\r\nname\r\n--b--\r\n'

test('a file that cannot be written is not reported as a damaged upload', async () => {
  const error = await failureOf(() => fs.rmSync(folder, { recursive: true }), part)
  expect(error).not.toBeInstanceOf(Refused)
  expect(error).toMatchObject({ code: 'ENOENT', syscall: 'open' })
})

test('an upload that ends in the middle of a file is refused as damaged, with a sentence', async () => {
  const error = await failureOf(() => {}, part.slice(0, -12))
  expect(error).toEqual(invalid({ list: ['The upload was interrupted or is damaged. Please try again.'] }))
})
