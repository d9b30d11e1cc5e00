// Confined: what a script's input brings about is told apart from what a busy machine does.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Refused } from '#server/errors/refused.ts'
import { BrokeDown, confined } from './confined.ts'

// A script must stand in the program's own folder, which is all that it may read.
const scripts = fs.mkdtempSync(path.join(import.meta.dirname, '.confined-'))
const input = path.join(os.tmpdir(), `confined-${process.pid}.txt`)
beforeAll(() => fs.writeFileSync(input, 'content'))
afterAll(() => {
  fs.rmSync(scripts, { recursive: true })
  fs.rmSync(input)
})

async function* piecesOf(output: Readable): AsyncGenerator<string> {
  for await (const piece of output) yield String(piece)
}

async function run(source: string, late_ms?: number) {
  const script = path.join(scripts, 'script.mjs')
  fs.writeFileSync(script, source)
  const work = { script, input, caps: { heap_mb: 64, data_mb: 768, cpu_s: 1 } }
  const pieces: string[] = []
  for await (const piece of confined(work, piecesOf, late_ms)) pieces.push(piece)
  return pieces.join('')
}
const failure = (source: string, late_ms?: number) => run(source, late_ms).catch((error: unknown) => error)

const begins = "process.stdout.write('begun')\n"

test('a script that comes to its end gives what it wrote', async () => {
  expect(await run("process.stdout.write(process.getBuiltinModule('node:fs').readFileSync(0))")).toBe('content')
})

test('one that is merely late is answered 503, with when to try again: that is no fault of the file', async () => {
  const error = await failure(`${begins}setInterval(() => {}, 1000)`, 1500)
  expect(error).toBeInstanceOf(Refused)
  expect(error).toMatchObject({ status: 503, retry_after_s: 30 })
})

test('one that is ended from outside is answered 503, too: a machine without memory left ends whichever it likes', async () => {
  for (const told of ['', begins]) {
    const error = await failure(`${told}setImmediate(() => process.kill(process.pid, 'SIGKILL'))`)
    expect(error).toBeInstanceOf(Refused)
    expect(error).toMatchObject({ status: 503, retry_after_s: 30 })
  }
})

test('one that is held off the processor is late, however long its work would take', async () => {
  const error = await failure(`${begins}process.kill(process.pid, 'SIGSTOP'); for (;;) {}`, 1500)
  expect(error).toMatchObject({ status: 503, retry_after_s: 30 })
})

test('one that cannot even begin is a fault of the program, and not of the file', async () => {
  const error = await failure('process.exit(1)')
  expect(error).not.toBeInstanceOf(BrokeDown)
})

test('one that uses its memory up has broken down', async () => {
  expect(await failure(`${begins}const all = []; for (;;) all.push(new Array(1e6).fill({}))`)).toBeInstanceOf(BrokeDown)
})

test('one that fails by what it read has broken down', async () => {
  expect(await failure(`${begins}process.exit(3)`)).toBeInstanceOf(BrokeDown)
})

test.runIf(fs.existsSync('/usr/bin/prlimit'))('one that uses its processor time up has broken down, too', async () => {
  expect(await failure(`${begins}for (;;) {}`)).toBeInstanceOf(BrokeDown)
})
