// One PostgreSQL for a whole test run, with a migrated database from which every test file clones its own.

import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { randomBytes } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { connect, prepareDatabase } from '#server/db/logins.ts'
import { databaseUrl, secretKey } from '#test/database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    adminUrl: string
    template: string
  }
}

export default async function setup({ provide, vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (vitest.projects.every((project) => project.name === 'unit')) return
  const { url, stop } = await openServer()
  const template = `foyer_template_${randomBytes(4).toString('hex')}`
  const { ownerUrl } = await prepareDatabase({ url: databaseUrl(url, template), secretKey, exclusive: true })
  await migrate(ownerUrl)
  provide('adminUrl', url)
  provide('template', template)

  return async () => {
    const admin = await connect(url)
    await admin.query(`drop database if exists ${template} with (force)`)
    await admin.end()
    await stop()
  }
}

/** The superuser's address of `TEST_DATABASE_URL`, or of a PostgreSQL that is started for this run. */
async function openServer(): Promise<{ url: string; stop(): Promise<void> }> {
  if (process.env.TEST_DATABASE_URL) return { url: process.env.TEST_DATABASE_URL, stop: () => Promise.resolve() }
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-test-'))
  const { url, stop } = await startEmbedded({ directory, fast: true })
  return {
    url,
    async stop() {
      await stop()
      fs.rmSync(directory, { recursive: true, force: true })
    },
  }
}
