// Fixtures: what every journey starts from: Foyer as it is shipped, started for this worker only, on an empty database.

import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test as base } from '@playwright/test'
import { embeddedUrl } from '#server/db/command-database.ts'
import { inherited } from '#test/process.ts'

export { expect } from '@playwright/test'

type Foyer = {
  url: string
  /** Mails are written into its folder `outbox`. */
  dataDir: string
  /** The superuser's address of its database, for what no call can make: nights that are over. */
  database(): string
  /** `kill -9`. */
  kill(): Promise<void>
  /** Starts again on the same data, at the same address. */
  start(): Promise<void>
}

/** How far `faketime` (scripts/odd-hours.mjs) has put on the clock of this process and of Foyer; 0 without it. */
const ahead_ms = 1000 * Number.parseInt(process.env.FAKETIME ?? '0', 10)

export const test = base.extend<object, { foyer: Foyer; settings: Record<string, string> }>({
  /** Environment variables beyond those every worker has: a worker, with a Foyer of its own, for each set of them. */
  settings: [{ SIGNUP: 'open' }, { option: true, scope: 'worker' }],
  foyer: [
    async ({ settings }, provide) => {
      const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-journey-'))
      const env: Record<string, string> = { ...externalDatabase(), ...settings, DATA_DIR: dataDir }
      let server = await startServer({ ...env, PORT: '0' })
      const { url } = server
      await provide({
        url,
        dataDir,
        database: () => env.DATABASE_URL ?? embeddedUrl(path.join(dataDir, 'pg18'), 'foyer'),
        kill: () => stopServer(server.child, 'SIGKILL'),
        async start() {
          server = await startServer({ ...env, PORT: new URL(url).port })
        },
      })
      await stopServer(server.child, 'SIGTERM')
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
    // As for the journeys: only what hangs takes this long.
    { scope: 'worker', timeout: 180_000 },
  ],
  // The browser is the only one that goes by the true time: its pages are put on as far.
  browser: [
    async ({ browser }, provide) => {
      const newContext = browser.newContext.bind(browser)
      if (ahead_ms)
        browser.newContext = async (options) => {
          const context = await newContext(options)
          await context.addInitScript(putOn, ahead_ms)
          return context
        }
      await provide(browser)
    },
    { scope: 'worker' },
  ],
  baseURL: ({ foyer }, provide) => provide(foyer.url),
})

/** Runs in the page, before its own code. */
function putOn(by_ms: number) {
  const TrueDate = Date
  globalThis.Date = new Proxy(TrueDate, {
    construct: (_, given: [number]) =>
      given.length > 0 ? new TrueDate(...given) : new TrueDate(TrueDate.now() + by_ms),
    apply: () => new TrueDate(TrueDate.now() + by_ms).toString(),
    get: (date, name) => (name === 'now' ? () => TrueDate.now() + by_ms : Reflect.get(date, name)),
  })
}

/** With `TEST_DATABASE_URL`, a database of this worker's own on that server; it is left there for a look. */
function externalDatabase(): Record<string, string> {
  if (!process.env.TEST_DATABASE_URL) return {}
  const url = new URL(process.env.TEST_DATABASE_URL)
  url.pathname = `/foyer_journey_${randomBytes(4).toString('hex')}`
  return { DATABASE_URL: url.href, SECRET_KEY: 'the secret key of every test run' }
}

/** Resolves when Foyer says where it is ready. */
async function startServer(env: Record<string, string>): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ['--conditions=compiled', '--enable-source-maps', 'dist/server/main.js'], {
    // Only what it needs: a SMTP_URL or a PUBLIC_URL of the person who runs the tests must not reach it.
    env: { ...inherited(), NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ready = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        const [, url] = /^Foyer \S+ is ready at (\S+)$/m.exec(output) ?? []
        if (url) resolve(url)
      })
  })
  const ended = once(child, 'close').then(() => null)
  const url = await Promise.race([ready, ended])
  if (!url) throw new Error(`Foyer did not start:\n${output}`)
  return { child, url }
}

async function stopServer(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await Promise.race([once(child, 'exit'), sleep(20_000, undefined, { ref: false })])
}
