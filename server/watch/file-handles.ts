// File handles: says when a process runs short of them. At its limit (EMFILE) the system accepts connections and drops them at once, and
// no error reaches the program.
import { readdir, readFile } from 'node:fs/promises'

interface Options {
  log: (line: string) => void
  look_every_ms?: number
  /** Of this process; null where the system does not tell. */
  read?: () => Promise<Handles | null>
}
export interface Handles {
  open: number
  limit: number
}

/** Short from here, and no more below the second. */
const short_part = 0.9
const enough_part = 0.8

export function watchFileHandles({ log, look_every_ms = 5000, read = readHandles }: Options): { close(): void } {
  let short = false
  const look = async () => {
    const handles = await read()
    if (!handles) return
    const { open, limit } = handles
    if (open < limit * (short ? enough_part : short_part) === !short) return
    short = !short
    log(
      short
        ? `${open} of ${limit} file handles are in use: further connections are dropped without an answer. ` +
            'Raise the limit (LimitNOFILE, ulimit -n), or find who holds so many connections.'
        : `There are file handles again: ${open} of ${limit} are in use.`,
    )
  }
  const clock = setInterval(() => void look(), look_every_ms).unref()
  return { close: () => clearInterval(clock) }
}

async function readHandles(): Promise<Handles | null> {
  const limit = await limitOf().catch(() => null)
  if (limit === null) return null
  try {
    return { open: (await readdir('/proc/self/fd')).length, limit }
  } catch {
    // Reading takes a handle itself.
    return { open: limit, limit }
  }
}

let limit_read: number | undefined
/** Read once, while there are handles. */
async function limitOf(): Promise<number | null> {
  limit_read ??= Number(/^Max open files\s+(\d+)/m.exec(await readFile('/proc/self/limits', 'utf8'))?.[1])
  return limit_read > 0 ? limit_read : null
}
