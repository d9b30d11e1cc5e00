// Readers of sessions: each statement that reads their tables reads packed ones, too, or is of those that are never packed. One that is
// added is to say here which.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const open = 'only sessions that are open'
const lately = 'only what began or ended some days ago, by its condition'
const told = 'what a gateway or a person says of some sessions now'
const both = 'packed ones are read, too'
const uncoded = 'packed ones have no codes any more'
const logged = 'what nodes of the release before have just written to the log; a backfill has the rest'
const trial = 'of a trial, whose sessions are never packed'
const sample = 'of a sample, whose last weeks are enough'

/** How many statements of the file, and why each is right. */
const readers: Record<string, Record<string, number>> = {
  'server/admission/holders.ts': { [open]: 1 },
  'server/admission/passes.ts': { [open]: 2 },
  'server/admission/property-checks.ts': { [both]: 1 },
  'server/db/schema/functions/assign_invented_sessions.sql': { [sample]: 10 },
  'server/db/schema/functions/door_captive.sql': { [lately]: 2, [open]: 1 },
  'server/db/schema/functions/door_counted_customers.sql': { [open]: 1 },
  'server/db/schema/functions/door_forget_guests_data.sql': { [both]: 2 },
  'server/db/schema/functions/door_forget_passes.sql': { [open]: 1 },
  'server/db/schema/functions/door_keep_samples.sql': { [sample]: 1 },
  'server/db/schema/functions/door_pack_sessions.sql': { [both]: 4 },
  'server/db/schema/functions/door_radius_customers.sql': { [open]: 1 },
  'server/db/schema/functions/door_uncounted_customers.sql': { [open]: 1, [lately]: 1 },
  'server/db/schema/functions/erase_device.sql': { [both]: 4 },
  'server/db/schema/functions/erase_guests.sql': { [both]: 5 },
  'server/db/schema/functions/erase_log_of.sql': { [both]: 1 },
  'server/db/schema/functions/erase_reports_of.sql': { [both]: 1 },
  'server/db/schema/functions/forget_plain_codes.sql': { [uncoded]: 2, [logged]: 1 },
  'server/db/schema/functions/guests_known.sql': { [both]: 1, [open]: 1 },
  'server/db/schema/functions/holds_back.sql': { [open]: 1, [lately]: 1 },
  'server/db/schema/functions/invent_attempts.sql': { [sample]: 1 },
  'server/db/schema/functions/invent_hours.sql': { [sample]: 2 },
  'server/db/schema/functions/invent_sums.sql': { [sample]: 4 },
  'server/db/schema/functions/property_states_now.sql': { [open]: 1 },
  'server/db/schema/functions/put_guests_online.sql': { [sample]: 1 },
  'server/db/schema/functions/start_sample.sql': { [open]: 1 },
  'server/guest/box-asks.ts': { [told]: 1 },
  'server/guest/consents.ts': { [lately]: 1 },
  'server/guest/renewals.ts': { [lately]: 1 },
  'server/guest/status.ts': { [lately]: 2 },
  'server/guest/trials.ts': { [trial]: 2 },
  'server/history/read-sessions.ts': { [both]: 1 },
  'server/radius/change-sessions.ts': { [told]: 1 },
  'server/radius/gateway-request.ts': { [told]: 1 },
  'server/resources/dashboard/dashboard-properties.ts': { [open]: 1 },
  'server/resources/dashboard/dashboard.ts': { [open]: 1 },
  'server/resources/gateways/gateway-lamps.ts': { [lately]: 1 },
  'server/resources/guest-help/guest-help.ts': { [open]: 1 },
  'server/resources/guest-help/search.ts': { [open]: 3 },
  'server/resources/guest-help/subject.ts': { [open]: 1 },
  'server/resources/guest-help/today.ts': { [open]: 1 },
  'server/resources/sessions/sessions.ts': { [told]: 1 },
  'server/resources/gateways/trials.ts': { [lately]: 1 },
  'server/sessions/addresses.ts': { [told]: 1 },
  'server/sessions/called-sessions.ts': { [told]: 1 },
  'server/sessions/changes.ts': { [open]: 1 },
  // Nothing is packed before its hours are counted.
  'server/sessions/count-hours.ts': { [open]: 1, [lately]: 1 },
  'server/sessions/end-sessions.ts': { [open]: 1 },
  'server/sessions/session-rows.ts': { [told]: 2 },
  'server/sessions/refuse-while-online.ts': { [open]: 1 },
  'server/sessions/roll-ups.ts': { [told]: 1 },
  'server/sessions/session-facts.ts': { [open]: 2 },
  'server/sessions/used-up.ts': { [told]: 2, [open]: 1 },
  'server/sessions/whose-address.ts': { [both]: 2 },
  // Where there is none, nothing of the present month is used up.
  'server/vouchers/find.ts': { [lately]: 1 },
}

const root = path.join(import.meta.dirname, '..', '..')
const isRead = /\b(?:from|join|using|update)\s+(?:radius_sessions|session_addresses)\b/g

test('each statement that reads sessions reads packed ones, too, or is of those that are never packed', () => {
  const files = fs
    .readdirSync(path.join(root, 'server'), { recursive: true, encoding: 'utf8' })
    .map((file) => `server/${file.split(path.sep).join('/')}`)
    .filter(
      (file) => /\.(ts|sql)$/.test(file) && !/\.test\.ts$|\/migrations\/|\/backfills\/|\/schema\/tables\//.test(file),
    )
  const found = files.flatMap((file) => {
    const count = fs.readFileSync(path.join(root, file), 'utf8').match(isRead)?.length ?? 0
    return count > 0 ? [[file, count] as const] : []
  })
  const known = Object.entries(readers).map(([file, why]) => [file, Object.values(why).reduce((a, b) => a + b, 0)])
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(known))
})
