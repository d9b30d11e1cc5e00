// Process: the real program, started like an operator starts it, for tests that kill it, measure it or talk to it over the network.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

export interface Foyer {
  url: string
  child: ChildProcess
  kill(): Promise<void>
}

/** Only the caller's PATH and its clock: `faketime` must apply to all processes alike. */
export const inherited = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(PATH|TZ|LD_PRELOAD|(NO_)?FAKE.*)$/.test(name)))

const root = path.join(import.meta.dirname, '..')
/** Node's compile cache, which saves half of a start from the sources. */
const NODE_COMPILE_CACHE = path.join(root, 'node_modules', '.cache', 'node')

const running = new Set<ChildProcess>()
/** Processes that a failed test may have left running. */
export const killAll = () => {
  for (const child of running) child.kill('SIGKILL')
}

/** What Node runs: the sources, or the result of `npm run build`, which includes the web app. */
const sources = ['--import', './scripts/tsx.mjs', 'server/main.ts']
export const compiled = ['--conditions=compiled', '--enable-source-maps', 'dist/server/main.js']

export interface Starting {
  child: ChildProcess
  /** What it has written so far. */
  output(): string
  ready: Promise<Foyer>
  kill(): Promise<void>
}

/** Starts the program like an operator, in the folder of another release where one is named. */
export function beginFoyer(settings: Record<string, string>, program = sources, folder = root): Starting {
  const child = spawn(process.execPath, program, {
    cwd: folder,
    env: { ...inherited(), NODE_COMPILE_CACHE, PORT: '0', NODE_NO_WARNINGS: '1', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  let output = ''
  const ready = new Promise<Foyer>((resolve, reject) => {
    const collect = (text: string) => {
      output += text
      const url = /ready at (http:\/\/\S+)/.exec(output)?.[1]
      if (url) resolve({ url: url.replace('localhost', '127.0.0.1'), child, kill })
    }
    child.stdout.setEncoding('utf8').on('data', collect)
    child.stderr.setEncoding('utf8').on('data', collect)
    // Once its output has ended, too: the reason stands in the last lines.
    child.once('close', () => reject(new Error(`Foyer did not start: ${output}`)))
  })
  return { child, output: () => output, ready, kill }
}

/** Resolves when it is ready. */
export const startFoyer = (settings: Record<string, string>, program = sources): Promise<Foyer> =>
  beginFoyer(settings, program).ready
