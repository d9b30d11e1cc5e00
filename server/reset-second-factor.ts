// Reset second factor: `npm run reset-second-factor EMAIL`, for somebody who has lost both telephone and recovery codes.

import { openCommandDatabase } from '#server/db/command-database.ts'
import { removeLostSecondFactor } from '#server/resources/auth/lost-second-factor.ts'
import { openServices } from '#server/services.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import { readConfig } from '#server/start/config.ts'

const [email] = process.argv.slice(2)
await using opened = new AsyncDisposableStack()
try {
  if (email === undefined) throw new CannotStart('Whose? npm run reset-second-factor somebody@example.com')
  // Nothing is served and no job is run here: a running Foyer sends the mail, or the next one that starts.
  const config = { ...readConfig(process.env), roles: [] }
  const database = await openCommandDatabase(config)
  opened.defer(database.stop)
  const services = await openServices({ config, ...database })
  opened.defer(services.close)
  await removeLostSecondFactor(services, email)
  console.log(
    `Done: ${email} signs in with the password alone from now on, is signed out everywhere, and is told by mail.`,
  )
} catch (error) {
  process.exitCode = 1
  console.error(error instanceof CannotStart ? error.message : error)
}
