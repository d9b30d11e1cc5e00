// Guest pages under test: a Foyer with guests' pages on a separate origin, for all tests of a file.
import type { Client } from 'pg'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { connect } from '#server/db/logins.ts'
import { openFoyer, type TestFoyer } from '#test/foyer.ts'

export const portal_url = 'http://guests.foyer.test'

/** Call it at the top of a file; `opened` is called before its first test. */
export function openGuestPages(opened: (pages: { foyer: TestFoyer; admin: Client }) => void) {
  let foyer: TestFoyer
  let admin: Client
  beforeAll(async () => {
    foyer = await openFoyer({ env: { ROLES: 'api guest', PORTAL_URL: portal_url } })
    admin = await connect(foyer.database.adminUrl)
    opened({ foyer, admin })
  })
  afterAll(async () => {
    await admin.end()
    await foyer.close()
  })
  // Each test has its own customer, and more sign up here than one address is allowed.
  beforeEach(() => admin.query('delete from rate_limits'))
}
