// Receive: uploads that a killed process has left behind go at the next start; those of running ones stay.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { discardAbandonedUploads } from '#server/files/receive.ts'

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

test('at a start the uploads of processes that are gone are taken away, and nothing else', async () => {
  const { pid: gone } = spawnSync(process.execPath, ['--version'])
  const kept = [`foyer-upload-${process.ppid}-abcdef`, 'foyer-upload-abcdef', 'somebody-elses-4711-abcdef']
  for (const name of [...kept, `foyer-upload-${gone}-abcdef`, `foyer-upload-${process.pid}-abcdef`]) {
    fs.mkdirSync(path.join(folder, name))
    fs.writeFileSync(path.join(folder, name, 'AccountImport'), 'name,password')
  }
  await discardAbandonedUploads()
  expect(fs.readdirSync(folder).toSorted()).toEqual(kept.toSorted())
})
