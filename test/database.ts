// A database of its own for a test file, cloned from the migrated template in some 40 ms.

import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import type { Keys, SecretKeys } from '#server/start/secret-key.ts'
import { connect, createDatabase, prepareDatabase } from '#server/db/logins.ts'

/** The logins belong to the whole server, so all runs that share a server need the same key. */
export const secretKey = 'the secret key of every test run'

export type TestDatabase = {
  /** A superuser, for what a test must see or do outside the product. */
  adminUrl: string
  ownerUrl: string
  appUrl: string
  authUrl: string
  guestUrl: string
  secretKey: string
  secretKeys: SecretKeys
  /** The secret key from now on; the logins keep the key that all runs share. */
  changeKeys(keys: Keys): void
  drop(): Promise<void>
}

export async function freshDatabase(): Promise<TestDatabase> {
  const serverUrl = inject('adminUrl')
  const name = newName()
  const adminUrl = databaseUrl(serverUrl, name)
  const admin = await connect(serverUrl)
  try {
    await createDatabase(admin, name, `${inject('template')} strategy file_copy`)
  } finally {
    await admin.end()
  }
  return opened(adminUrl)
}

/** A database without tables. */
export const emptyDatabase = () => opened(databaseUrl(inject('adminUrl'), newName()))

const newName = () => `foyer_test_${randomBytes(6).toString('hex')}`

async function opened(adminUrl: string): Promise<TestDatabase> {
  let keys: Keys = [secretKey]
  const secretKeys = () => keys
  const urls = await prepareDatabase({ url: adminUrl, secretKeys })
  return {
    ...urls,
    adminUrl,
    secretKey,
    secretKeys,
    changeKeys: (given) => void (keys = given),
    drop: () => dropDatabase(adminUrl),
  }
}

/** Also ends connections that a test has left open. */
export async function dropDatabase(adminUrl: string): Promise<void> {
  const admin = await connect(databaseUrl(adminUrl, 'postgres'))
  try {
    await admin.query(`drop database if exists ${new URL(adminUrl).pathname.slice(1)} with (force)`)
  } finally {
    await admin.end()
  }
}

export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
