// Confined: runs a script of the program in a process of its own, for what strangers upload. It gets one file as its input
// and may read the program's own code and nothing else: no secrets, no right to write or to start anything, and little
// memory and time. Whatever becomes of it, this process lives.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { open } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { Refused } from '#server/errors/refused.ts'

export interface Caps {
  heap_mb: number
  /** V8 reserves 512 MB of data that it does not use. */
  data_mb: number
  cpu_s: number
}

/** How long a script may take by the clock. A busy machine makes it late, its input does not: that is held to `cpu_s`. */
const wall_ms = 60_000
/** By then a busy machine may have caught up. */
const retry_after_s = 30

export interface Confined {
  /** Its file: see `scriptBeside`. */
  script: string
  args?: readonly string[]
  input: string
  caps: Caps
  /** The script works with a library in machine code; only such a one may load it. */
  addons?: boolean
}

/** The process ran out of memory or of processor time, or was brought down by what it read. */
export class BrokeDown extends Error {
  override name = 'BrokeDown'
}

const compiled = import.meta.filename.endsWith('.js')
const program = path.resolve(import.meta.dirname, compiled ? '../../..' : '../..')
/** Where the system has it, memory beyond V8's own and the processor's time are capped by the kernel. */
const prlimit = ['/usr/bin/prlimit', '/bin/prlimit'].find((file) => fs.existsSync(file))

/** The script beside the caller, in the sources and in dist alike: `scriptBeside(import.meta.dirname, 'reader')`. */
export const scriptBeside = (folder: string, name: string) => path.join(folder, `${name}.${compiled ? 'js' : 'ts'}`)

function commandOf({ script, args = [], caps, addons = false }: Confined): [string, string[]] {
  const node_args = [
    ...(compiled ? ['--conditions=compiled'] : []),
    `--max-old-space-size=${caps.heap_mb}`,
    '--permission',
    `--allow-fs-read=${program}`,
    ...(addons ? ['--allow-addons'] : []),
    '--disable-proto=delete',
    '--disallow-code-generation-from-strings',
    '--no-warnings',
    script,
    ...args,
  ]
  if (!prlimit) return [process.execPath, node_args]
  const limits = [
    `--data=${caps.data_mb * 1024 * 1024}`,
    `--cpu=${caps.cpu_s}:${caps.cpu_s + 1}`,
    '--core=0',
    '--fsize=0',
    '--nofile=64',
  ]
  return [prlimit, [...limits, process.execPath, ...node_args]]
}

/**
 * What `read` makes of the script's output. Throws `BrokeDown` when the script did not come to its end, and 503 when it was
 * merely late, or was ended from outside: a machine without memory left does that.
 * @param late_ms how long it may take by the clock
 */
export async function* confined<T>(
  work: Confined,
  read: (output: Readable) => AsyncGenerator<T>,
  late_ms = wall_ms,
): AsyncGenerator<T, void> {
  await using input = await open(work.input)
  const [command, args] = commandOf(work)
  // Nothing of this process's environment: no address of the database, no key.
  const child = spawn(command, args, { stdio: [input.fd, 'pipe', 'ignore'], env: {} })
  const ended = once(child, 'exit').then(
    ([code, signal]: (number | string | null)[]) => ({ code, signal }),
    (error: unknown) => ({ error }),
  )
  let late = false
  const timer = setTimeout(() => {
    late = child.exitCode === null && child.signalCode === null
    child.kill('SIGKILL')
  }, late_ms)
  try {
    if (child.pid !== undefined) giveWay(child)
    let told = false
    for await (const piece of child.stdout ? read(child.stdout) : []) {
      told = true
      yield piece
    }
    const end = await ended
    if ('error' in end) throw end.error
    // Whatever the file holds, the script tells: only one that could not begin ends so.
    if (end.code === 1 && !told) throw new Error(`${path.basename(work.script)} did not start`)
    if (end.code !== 0) throw new BrokeDown(`${path.basename(work.script)} ended with ${end.code ?? end.signal}`)
  } catch (error) {
    // What was cut off cannot be read: that says nothing of the file.
    const isOurs = late || (child.stdout?.readableEnded === true && isEndedFromOutside(await ended))
    throw isOurs ? new Refused('unavailable', { retry_after_s }) : error
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}

/** Its own limits end a process by other signals: SIGXCPU, SIGABRT. */
const isEndedFromOutside = (end: object) => 'signal' in end && end.signal === 'SIGKILL'

/** Other requests go first. */
function giveWay({ pid }: ChildProcess) {
  try {
    os.setPriority(pid ?? 0, 5)
  } catch {
    // It has ended already.
  }
}
