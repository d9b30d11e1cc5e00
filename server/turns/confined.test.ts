// Confined: failures caused by a script's input are distinguished from those of a busy machine.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Refused } from '#server/errors/refused.ts'
import { ProcessFailed, confined } from './confined.ts'

// A script must be in the program's own folder, the only one that it may read.
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

test('the output of a script that ends normally is returned', async () => {
  expect(await run("process.stdout.write(process.getBuiltinModule('node:fs').readFileSync(0))")).toBe('content')
})

test('a script that is merely late gives 503 with Retry-After, since that is not the file’s fault', async () => {
  const error = await failure(`${begins}setInterval(() => {}, 1000)`, 1500)
  expect(error).toEqual(new Refused('unavailable', { retry_after_s: 30 }))
})

test('a script that is killed from outside gives 503, too, since a machine without memory may kill any process', async () => {
  for (const output of ['', begins]) {
    const error = await failure(`${output}setImmediate(() => process.kill(process.pid, 'SIGKILL'))`)
    expect(error).toEqual(new Refused('unavailable', { retry_after_s: 30 }))
  }
})

test('a script that gets no processor time is late, however long its work would take', async () => {
  const error = await failure(`${begins}process.kill(process.pid, 'SIGSTOP'); for (;;) {}`, 1500)
  expect(error).toEqual(new Refused('unavailable', { retry_after_s: 30 }))
})

test('a script that cannot start is a fault of the program, not of the file', async () => {
  const error = await failure('process.exit(1)')
  expect(error).not.toBeInstanceOf(ProcessFailed)
})

test('a script that uses up its memory has broken down', async () => {
  expect(await failure(`${begins}const all = []; for (;;) all.push(new Array(1e6).fill({}))`)).toBeInstanceOf(
    ProcessFailed,
  )
})

test('a script that fails because of its input has broken down', async () => {
  expect(await failure(`${begins}process.exit(3)`)).toBeInstanceOf(ProcessFailed)
})

test.runIf(fs.existsSync('/usr/bin/prlimit'))(
  'a script that uses up its processor time has broken down, too',
  async () => {
    expect(await failure(`${begins}for (;;) {}`)).toBeInstanceOf(ProcessFailed)
  },
)
