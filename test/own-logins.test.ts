// Own logins: the lines of deploy/README.md, run by a superuser on an empty server; a node starts with what they make and no more.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startEmbedded } from '#server/db/embedded.ts'
import { connect } from '#server/db/logins.ts'
import { killAll, startFoyer } from '#test/process.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-own-logins-'))
afterAll(() => {
  killAll()
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

test('a node starts with the logins that the documentation makes', { timeout: 240_000 }, async () => {
  const readme = fs.readFileSync(path.join(import.meta.dirname, '../deploy/README.md'), 'utf8')
  const lines = /```\n(create role foyer_owner[\s\S]*?)```/.exec(readme)?.[1]?.trim().split('\n') ?? []
  expect(lines).toHaveLength(7)
  const server = await startEmbedded({ directory: folder, fast: true })
  const admin = await connect(server.url)
  for (const line of lines) await admin.query(line.replace('…', 'a password'))
  await admin.end()
  const as = (login: string) => {
    const url = new URL('/foyer', server.url)
    url.username = login
    url.password = 'a password'
    return url.href
  }
  const foyer = await startFoyer({
    DATA_DIR: path.join(folder, 'data'),
    DATABASE_URL: as('foyer_app'),
    DATABASE_OWNER_URL: as('foyer_owner'),
    DATABASE_AUTH_URL: as('foyer_auth'),
    DATABASE_GUEST_URL: as('foyer_guest'),
    SECRET_KEY: 'a secret key of more than thirty-two characters',
  })
  const person = { company_name: 'Harbour', name: 'Ada', email: 'ada@hotel.example', password: 'quite a long password' }
  const answer = await fetch(`${foyer.url}/api/v1/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(person),
  })
  expect(answer.status).toBe(201)
  await foyer.kill()
  await server.stop()
})
