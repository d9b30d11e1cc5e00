// Process: the real program, started as an operator starts it, for tests that kill it, measure it or talk to it over the wire.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

export interface Foyer {
  url: string
  child: ChildProcess
  kill(): Promise<void>
}

/** Nothing of the caller's but where programs are, and the clock: `faketime` must set it for every process alike. */
export const inherited = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(PATH|TZ|LD_PRELOAD|(NO_)?FAKE.*)$/.test(name)))

const root = path.join(import.meta.dirname, '..')
/** Node keeps there what it has compiled: half of a start from the sources. */
const NODE_COMPILE_CACHE = path.join(root, 'node_modules', '.cache', 'node')

const running = new Set<ChildProcess>()
/** Whatever a test that failed has left running. */
export const killAll = () => {
  for (const child of running) child.kill('SIGKILL')
}

/** What Node runs: the sources, or what `npm run build` makes of them, which has the web app beside it. */
const sources = ['--import', './scripts/tsx.mjs', 'server/main.ts']
export const compiled = ['--conditions=compiled', '--enable-source-maps', 'dist/server/main.js']

/** The program as an operator starts it; resolves when it is ready. */
export async function startFoyer(settings: Record<string, string>, program = sources): Promise<Foyer> {
  const child = spawn(process.execPath, program, {
    cwd: root,
    env: { ...inherited(), NODE_COMPILE_CACHE, PORT: '0', NODE_NO_WARNINGS: '1', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  let said = ''
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (text: string) => {
      said += text
      const ready = /ready at (http:\/\/\S+)/.exec(said)?.[1]
      if (ready) resolve(ready.replace('localhost', '127.0.0.1'))
    }
    child.stdout.setEncoding('utf8').on('data', hear)
    child.stderr.setEncoding('utf8').on('data', hear)
    child.once('exit', () => reject(new Error(`Foyer did not start: ${said}`)))
  })
  const kill = async () => {
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  return { url, child, kill }
}
