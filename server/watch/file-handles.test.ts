// File handles: a process that runs short of them says so, once, and when it has enough again.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { watchFileHandles } from '#server/watch/file-handles.ts'

test('a shortage is told once when it begins and once when it is over', async () => {
  const lines: string[] = []
  let open = 10
  let looks = 0
  const watched = watchFileHandles({
    log: (line) => lines.push(line),
    look_every_ms: 1,
    read: () => {
      looks++
      return Promise.resolve({ open, limit: 100 })
    },
  })
  const after = async (handles: number) => {
    open = handles
    // The second look after the change began when the first one had been told of.
    const enough = looks + 3
    await vi.waitUntil(() => looks >= enough, { timeout: 20_000, interval: 1 })
    return lines.length
  }
  expect(await after(89)).toBe(0)
  expect(await after(90)).toBe(1)
  expect(await after(100)).toBe(1)
  expect(await after(85)).toBe(1)
  expect(await after(79)).toBe(2)
  watched.close()
  expect(lines).toEqual([
    expect.stringMatching(/^90 of 100 file handles are in use: further connections are dropped/),
    'There are file handles again: 79 of 100 are in use.',
  ])
})

test.runIf(process.platform === 'linux')('a process whose limit is reached says so', async () => {
  // The lowest free number is given out, so that these are all below the last one.
  const program = `
    import fs from 'node:fs'
    import { watchFileHandles } from '#server/watch/file-handles.ts'
    while (fs.openSync('/dev/null') < 120);
    watchFileHandles({ log: (line) => console.log(line), look_every_ms: 50 })
    setInterval(() => {}, 1000)`
  const child = spawn(
    'prlimit',
    ['--nofile=128:128', process.execPath, '--import', './scripts/tsx.mjs', '--input-type=module', '--eval', program],
    { cwd: path.join(import.meta.dirname, '../..'), stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  await expect.poll(() => output, { timeout: 60_000 }).toMatch(/1[12]\d of 128 file handles are in use/)
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
})
