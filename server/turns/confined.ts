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

export interface Caps {
  heap_mb: number
  /** V8 reserves 512 MB of data that it does not use. */
  data_mb: number
  wall_ms: number
  cpu_s: number
}

export interface Confined {
  /** Its file: see `scriptBeside`. */
  script: string
  args?: readonly string[]
  input: string
  caps: Caps
  /** The script works with a library in machine code; only such a one may load it. */
  addons?: boolean
}

/** The process ran out of memory or time, or was brought down by what it read. */
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
  const limits = [`--data=${caps.data_mb * 1024 * 1024}`, `--cpu=${caps.cpu_s}`, '--core=0', '--fsize=0', '--nofile=64']
  return [prlimit, [...limits, process.execPath, ...node_args]]
}

/** What `read` makes of the script's output. Throws `BrokeDown` when the script did not come to its end. */
export async function* confined<T>(
  work: Confined,
  read: (output: Readable) => AsyncGenerator<T>,
): AsyncGenerator<T, void> {
  const input = await open(work.input)
  const [command, args] = commandOf(work)
  // Nothing of this process's environment: no address of the database, no key.
  const child = spawn(command, args, { stdio: [input.fd, 'pipe', 'ignore'], env: {} })
  const ended = once(child, 'exit').catch(() => [1])
  const late = setTimeout(() => child.kill('SIGKILL'), work.caps.wall_ms)
  try {
    if (child.pid !== undefined) giveWay(child)
    let told = false
    for await (const piece of child.stdout ? read(child.stdout) : []) {
      told = true
      yield piece
    }
    const [code] = (await ended) as [number | null]
    // Whatever the file holds, the script tells: only one that could not begin ends so.
    if (code === 1 && !told) throw new Error(`${path.basename(work.script)} did not start`)
    if (code !== 0) throw new BrokeDown(`${path.basename(work.script)} ended with ${code ?? 'a signal'}`)
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
