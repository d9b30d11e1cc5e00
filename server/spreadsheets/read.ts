// Read: what a spreadsheet that somebody uploaded holds, read and checked in a process of its own. That may take what memory
// and time it is given and no more, and whatever becomes of it, this one lives.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { open } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { atOnce, Turns } from '#server/fairness/turns.ts'
import { sentences, UnreadableFile, type Line, type Unreadable } from './limits.ts'

/** Measured: 50,000 rows of a workbook take 430 MB and 2 to 5 s of one core, of a CSV 150 MB and 0.3 s. V8 reserves 512 MB of data that it does not use. */
const caps = { heap_mb: 512, data_mb: 1536, wall_ms: 20_000, cpu_s: 20, output_bytes: 128 * 1024 * 1024 }

/** Beside this file, in the sources and in dist alike. */
const compiled = import.meta.filename.endsWith('.js')
const reader = path.join(import.meta.dirname, compiled ? 'reader.js' : 'reader.ts')
const services = path.resolve(import.meta.dirname, compiled ? '../../..' : '../..')

const node_args = [
  ...(compiled ? ['--conditions=compiled'] : []),
  `--max-old-space-size=${caps.heap_mb}`,
  // It may read the program's own code and nothing else, write nothing and start nothing.
  '--permission',
  `--allow-fs-read=${services}`,
  '--disable-proto=delete',
  '--disallow-code-generation-from-strings',
  '--no-warnings',
  reader,
]

/** Where the system has it, memory beyond V8's own and the processor's time are capped by the kernel. */
const prlimit = ['/usr/bin/prlimit', '/bin/prlimit'].find((file) => fs.existsSync(file))
const [command, args]: [string, string[]] = prlimit
  ? [
      prlimit,
      [
        `--data=${caps.data_mb * 1024 * 1024}`,
        `--cpu=${caps.cpu_s}`,
        '--core=0',
        '--fsize=0',
        '--nofile=64',
        process.execPath,
        ...node_args,
      ],
    ]
  : [process.execPath, node_args]

const readers = new Turns(atOnce(2))

interface CheckedBy {
  /** The address of a module with a `check`, and what that is told. */
  checker: string
  options: object
}

/**
 * The records of the file's first sheet, and last, under `rest`, what else its check has to say. Throws `UnreadableFile`.
 * Two files are read at once on a node; whose file is next is decided before (server/fairness/shares.ts).
 */
export async function* readRecords(
  file: { path: string },
  by: CheckedBy,
): AsyncGenerator<{ record: unknown } | { rest: unknown }> {
  using _turn = await readers.take('all')
  yield* readIn(file, by)
}

async function* readIn({ path }: { path: string }, { checker, options }: CheckedBy) {
  const input = await open(path)
  // Nothing of this process's environment: no address of the database, no key.
  const child = spawn(command, [...args, checker, JSON.stringify(options)], {
    stdio: [input.fd, 'pipe', 'ignore'],
    env: {},
  })
  const ended = once(child, 'exit').catch(() => [1])
  const late = setTimeout(() => child.kill('SIGKILL'), caps.wall_ms)
  try {
    if (child.pid !== undefined) giveWay(child)
    let told = false
    for await (const line of linesOf(child)) {
      told = true
      yield line
    }
    const [code] = (await ended) as [number | null]
    // Whatever the file holds, the reader tells: only one that could not begin ends so.
    if (code === 1 && !told) throw new Error('the reader of spreadsheets did not start')
    // Out of memory, out of time, or brought down by what it read.
    if (code !== 0) throw new UnreadableFile('tooMuch')
  } finally {
    clearTimeout(late)
    child.kill('SIGKILL')
    await input.close()
  }
}

/** Other requests go first. */
function giveWay({ pid }: ChildProcess) {
  try {
    os.setPriority(pid ?? 0, 5)
  } catch {
    // It has ended already.
  }
}

async function* linesOf({ stdout }: ChildProcess) {
  if (!stdout) return
  stdout.setEncoding('utf8')
  let length = 0
  let rest = ''
  for await (const piece of stdout as AsyncIterable<string>) {
    length += piece.length
    if (length > caps.output_bytes) throw new UnreadableFile('tooMuch')
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield told(line)
  }
}

function told(text: string) {
  const line = JSON.parse(text) as Line
  if ('unreadable' in line) throw new UnreadableFile(isWhy(line.unreadable) ? line.unreadable : 'damaged')
  return line
}

const isWhy = (word: unknown): word is Unreadable => typeof word === 'string' && Object.hasOwn(sentences, word)
