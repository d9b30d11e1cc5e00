// SQL injection: sqlmap (Debian: apt-get install sqlmap) tries every text, number and list that a list call takes. It finds an
// injection in a deliberately vulnerable server, and none in ours.
import { execFile, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from '#test/database.ts'
import { password } from '#test/foyer.ts'
import { killAll, startFoyer, type Foyer } from '#test/process.ts'
import { calls, takes } from '#test/sweeps/calls.ts'
import { full } from './proof.ts'

const installed = spawnSync('sqlmap', ['--version']).status === 0
const lists = calls.filter(({ endpoint }) => takes(endpoint, 'searchValue') && endpoint.gives !== 'file')
const tried = full ? lists : lists.slice(0, 1)
/** One injection point each: a request refused for one value would not test the others. */
const bodies = [
  '{"searchValue":"a*"}',
  '{"sort":"-created_at*"}',
  '{"cursor":"*"}',
  '{"lastFetchedAt":"2026-01-01T00:00:00Z*"}',
  '{"excludeIds":["1*"]}',
  '{"filters":{"status":["active*"]}}',
]

let database: TestDatabase
let foyer: Foyer
let headers: string[]
let folder: string
beforeAll(async () => {
  if (!installed) return
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-sqlmap-'))
  database = await freshDatabase()
  const { adminUrl: _, drop: __, ...urls } = database
  foyer = await startFoyer({
    DATABASE_URL: urls.appUrl,
    DATABASE_OWNER_URL: urls.ownerUrl,
    DATABASE_AUTH_URL: urls.authUrl,
    DATABASE_GUEST_URL: urls.guestUrl,
    SECRET_KEY: database.secretKey,
    DATA_DIR: folder,
    SIGNUP: 'open',
    REQUESTS_PER_MINUTE: '1000000',
  })
  const response = await fetch(`${foyer.url}/api/v1/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ company_name: 'Tried', name: 'Ada', email: 'ada@tried.example', password }),
  })
  const { data } = (await response.json()) as { data: { access_token: string } }
  headers = [`Authorization: Bearer ${data.access_token}`, 'App-Context: customer']
})
afterAll(async () => {
  killAll()
  if (!installed) return
  await database.drop()
  fs.rmSync(folder, { recursive: true, force: true })
})

/** The output of sqlmap for a call; asterisks in the body mark the injection points. */
async function tryWith(url: string, body: string, level: number) {
  const { stdout } = await promisify(execFile)(
    'sqlmap',
    [
      '-u',
      url,
      '--data',
      body,
      '--method',
      'POST',
      '--headers',
      ['Content-Type: application/json', ...headers].join('\\n'),
      '--batch',
      '--dbms',
      'PostgreSQL',
      '--level',
      String(level),
      '--risk',
      '2',
      '--technique',
      'BEUST',
      '--time-sec',
      '3',
      '--skip-waf',
      '--disable-coloring',
      '--flush-session',
      '--ignore-code',
      '*',
      '--output-dir',
      path.join(folder, 'sqlmap'),
    ],
    { maxBuffer: 100_000_000 },
  )
  return stdout
}
const found = /identified the following injection point/
const none = /all tested parameters do not appear to be injectable/

describe.skipIf(!installed)('sqlmap', () => {
  test('finds the injection in a deliberately vulnerable server', async () => {
    const client = new Client({ connectionString: database.adminUrl })
    await client.connect()
    const server = http.createServer((request, response) => {
      let sent = ''
      request.on('data', (part: Buffer) => (sent += part.toString()))
      request.on('end', () => {
        const { searchValue } = JSON.parse(sent) as { searchValue: string }
        client.query(`select name from customers where name = '${searchValue}'`).then(
          ({ rows }) => response.end(JSON.stringify(rows)),
          (error: Error) => response.writeHead(500).end(error.message),
        )
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    expect(await tryWith(`http://127.0.0.1:${port}/`, '{"searchValue":"Tried*"}', 1)).toMatch(found)
    server.close()
    await client.end()
  })

  test.each(tried)('finds no injection in $name', async ({ endpoint }) => {
    for (const body of full ? bodies : bodies.slice(0, 2)) {
      const output = await tryWith(`${foyer.url}/api/v1${endpoint.path}`, body, full ? 3 : 1)
      expect(output, body).toMatch(none)
      expect(output, body).not.toMatch(found)
    }
  })
})
