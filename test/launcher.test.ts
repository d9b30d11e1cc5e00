// Launcher: the embedded database runs exactly as long as its process: no data is lost, no second process can use it, nothing is left
// behind.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import readline from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEmbedded } from '#server/db/embedded.ts'
import { connect } from '#server/db/logins.ts'

const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-launcher-'))
const data = path.join(directory, 'pg18')
const children: ChildProcess[] = []
/** Generous, since a busy machine takes much longer than an idle one. */
const patience_ms = 120_000

beforeAll(async () => {
  const unfinished = path.join(directory, 'pg18.new-unfinished')
  fs.mkdirSync(unfinished)
  const database = await startEmbedded({ directory, fast: true })
  await ask(database.url, 'create table kept (line text)')
  await database.stop()
  expect(fs.existsSync(unfinished)).toBe(false)
})

afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  fs.rmSync(directory, { recursive: true, force: true })
})

async function ask(url: string, query: string): Promise<Record<string, unknown>[]> {
  const client = await connect(url)
  try {
    return (await client.query<Record<string, unknown>>(query)).rows
  } finally {
    await client.end()
  }
}

/** A separate process that keeps the database running until it is killed. */
async function startHolder(): Promise<{ child: ChildProcess; url: string }> {
  const program = `
    import { startEmbedded } from '#server/db/embedded.ts'
    console.log((await startEmbedded({ directory: ${JSON.stringify(directory)}, fast: true })).url)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const ended = once(child, 'exit').then(() => {
    throw new Error('the holder ended before it held the database')
  })
  const lines = readline.createInterface({ input: child.stdout })
  const [url] = (await Promise.race([once(lines, 'line'), ended])) as [string]
  return { child, url }
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const serverProcess = () => Number.parseInt(fs.readFileSync(path.join(data, 'postmaster.pid'), 'utf8'))

test('after kill -9 the database stops by itself, and everything acknowledged is there', async () => {
  const { child, url } = await startHolder()
  await ask(url, `insert into kept values ('before the kill')`)
  const server = serverProcess()
  await kill(child)
  await expect.poll(() => fs.existsSync(`/proc/${server}`), { timeout: patience_ms }).toBe(false)

  const database = await startEmbedded({ directory, fast: true })
  expect(await ask(database.url, 'select line from kept')).toEqual([{ line: 'before the kill' }])
  await database.stop()
})

test('a second process is refused, and the error names the first', async () => {
  const { child } = await startHolder()
  await expect(startEmbedded({ directory })).rejects.toThrow(`Another Foyer (process ${child.pid}) already uses`)
  await kill(child)
})

test('a server that outlived its process is shut down first', async () => {
  const { child, url } = await startHolder()
  // No process is left that could stop the server; the suspended one cannot start another meanwhile.
  child.kill('SIGSTOP')
  for (const shell of watchersOf(serverProcess())) process.kill(shell, 'SIGKILL')
  await kill(child)
  const lines: string[] = []
  const database = await startEmbedded({ directory, fast: true, log: (line) => lines.push(line) })
  expect(lines).toEqual(['Waiting for the database of the previous process to shut down'])
  expect(database.url).not.toBe(url)
  await database.stop()
})

/** The shell that started the server, and its child that waits for the end of this process. */
function watchersOf(server: number): number[] {
  const [, parent] = /^PPid:\s+(\d+)$/m.exec(fs.readFileSync(`/proc/${server}/status`, 'utf8')) ?? []
  const family = fs.readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ').map(Number)
  return [Number(parent), ...family.filter((pid) => pid !== server)]
}

test('a lock file whose process id now belongs to someone else is no obstacle', async () => {
  fs.writeFileSync(path.join(data, 'postmaster.pid'), `${process.pid}\n${data}\n1700000000\n5432\n\n127.0.0.1\n`, {
    mode: 0o600,
  })
  const database = await startEmbedded({ directory, fast: true })
  expect(await ask(database.url, 'select 1 as one')).toEqual([{ one: 1 }])
  await database.stop()
})

test('a database that stops by itself is started again at the same address', async () => {
  const lines: string[] = []
  const database = await startEmbedded({ directory, fast: true, log: (line) => lines.push(line) })
  const first = serverProcess()
  process.kill(first, 'SIGKILL')
  await expect
    .poll(() => ask(database.url, 'select 1 as one').catch(() => null), { timeout: patience_ms })
    .toEqual([{ one: 1 }])
  expect(serverProcess()).not.toBe(first)
  expect(lines).toEqual(['The database stopped by itself; starting it again'])
  await database.stop()
})

test('after a stop nothing runs and the directory is free', async () => {
  const database = await startEmbedded({ directory, fast: true })
  const server = serverProcess()
  await database.stop()
  expect(fs.existsSync(`/proc/${server}`)).toBe(false)
  const next = await startEmbedded({ directory, fast: true })
  await next.stop()
})
