// One PostgreSQL for a whole test run, with a migrated database from which every test file clones its own.

import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestProject } from 'vitest/node'
import { startEmbedded, type Embedded } from '#server/db/embedded.ts'
import { queues } from '#server/apps/jobs.ts'
import { migrate } from '#server/db/migrate.ts'
import { connect, prepareDatabase } from '#server/db/logins.ts'
import { databaseUrl, secretKey } from '#test/database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    adminUrl: string
    template: string
  }
}

const teardown_ms = 20_000

export default async function setup({ provide, vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (vitest.projects.every((project) => project.name === 'unit')) return undefined
  const server = await openServer()
  const template = `foyer_template_${randomBytes(4).toString('hex')}`
  const teardown = async () => {
    const admin = await connect(server.url)
    await admin.query(`drop database if exists ${template} with (force)`)
    await admin.end()
    await server.stop()
  }
  try {
    const { ownerUrl } = await prepareDatabase({
      url: databaseUrl(server.url, template),
      secretKeys: () => [secretKey],
      exclusive: true,
    })
    await migrate(ownerUrl, queues)
  } catch (error) {
    await teardown()
    throw error
  }
  provide('adminUrl', server.url)
  provide('template', template)
  // A teardown that never ends would block the run. The database stops by itself when this process has ended.
  return () => Promise.race([teardown(), sleep(teardown_ms, undefined, { ref: false })])
}

/** The superuser's address: `TEST_DATABASE_URL`, or that of a PostgreSQL started for this run. */
async function openServer(): Promise<Embedded> {
  if (process.env.TEST_DATABASE_URL) return { url: process.env.TEST_DATABASE_URL, stop: () => Promise.resolve() }
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-test-'))
  const embedded = await startEmbedded({ directory, fast: true })
  return {
    url: embedded.url,
    async stop() {
      await embedded.stop()
      fs.rmSync(directory, { recursive: true, force: true })
    },
  }
}
