// Confined: runs a script of the program in its own process, for untrusted uploads. It gets one file as its input and may read only
// the program's own code: no secrets, no right to write or to start anything, and little memory and time. Whatever happens to it,
// this process survives.
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

/** The time limit by the clock, for a busy machine. What the input costs is limited by `cpu_s`. */
const wall_ms = 60_000
/** By then a busy machine may have caught up. */
const retry_after_s = 30

export interface Confined {
  /** Its file: see `scriptBeside`. */
  script: string
  args?: readonly string[]
  input: string
  caps: Caps
  /** The script uses a native library; other scripts may not load any. */
  addons?: boolean
}

/** The process ran out of memory or of processor time, or was brought down by what it read. */
export class ProcessFailed extends Error {
  override name = 'ProcessFailed'
}

const compiled = import.meta.filename.endsWith('.js')
const program = path.resolve(import.meta.dirname, compiled ? '../../..' : '../..')
/** Where the system has it, the kernel limits memory beyond V8's heap and processor time. */
const prlimit = ['/usr/bin/prlimit', '/bin/prlimit'].find((file) => fs.existsSync(file))

/** A script next to the caller, both in the sources and in dist: `scriptBeside(import.meta.dirname, 'reader')`. */
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
 * What `read` makes of the script's output. Throws `ProcessFailed` when the script did not end normally, and 503 when it was merely
 * late, or was killed from outside, as by a machine without memory.
 * @param late_ms how long it may take by the clock
 */
export async function* confined<T>(
  work: Confined,
  read: (output: Readable) => AsyncGenerator<T>,
  late_ms = wall_ms,
): AsyncGenerator<T, void> {
  await using input = await open(work.input)
  const [command, args] = commandOf(work)
  // Without this process's environment, which has the address of the database and keys.
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
    if (child.pid !== undefined) lowerPriority(child)
    let has_written = false
    for await (const piece of child.stdout ? read(child.stdout) : []) {
      has_written = true
      yield piece
    }
    const end = await ended
    if ('error' in end) throw end.error
    // A script that has started always writes something, whatever the file contains.
    if (end.code === 1 && !has_written) throw new Error(`${path.basename(work.script)} did not start`)
    if (end.code !== 0) throw new ProcessFailed(`${path.basename(work.script)} ended with ${end.code ?? end.signal}`)
  } catch (error) {
    // Output that was cut off cannot be read, which says nothing about the file.
    const isOurs = late || (child.stdout?.readableEnded === true && isEndedFromOutside(await ended))
    throw isOurs ? new Refused('unavailable', { retry_after_s }) : error
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}

/** A process that exceeds its limits ends by other signals: SIGXCPU, SIGABRT. */
const isEndedFromOutside = (end: object) => 'signal' in end && end.signal === 'SIGKILL'

/** So that other requests go first. */
function lowerPriority({ pid }: ChildProcess) {
  try {
    os.setPriority(pid ?? 0, 5)
  } catch {
    // It has ended already.
  }
}
