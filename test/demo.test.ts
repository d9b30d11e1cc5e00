// Demo: fills an empty installation once, prints its logins again, and does not touch one that is in use.
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import {
  batches,
  collections,
  groups,
  interfaces,
  keys,
  packages,
  places,
  reports,
  teams,
} from '#scripts/demo/operator.ts'
import { portals } from '#scripts/demo/portals.ts'
import { connect } from '#server/db/logins.ts'
import { openDatabase } from '#server/db/open.ts'
import { readConfig } from '#server/start/config.ts'

const run = promisify(execFile)

/** The minimum number of rows of each kind of record that a screen lists. */
const filled = {
  accounts: 500,
  api_keys: keys.length,
  collections: collections.length,
  collection_properties: collections.flatMap((one) => one.places).length,
  collection_users: collections.flatMap((one) => one.people).length,
  devices: 500,
  gateways: 20,
  groups: groups.length,
  guests: 100,
  mac_categories: 5,
  packages: packages.length,
  portal_footers: 1,
  // Includes one custom portal, which is imported.
  portals: portals.length + 1,
  properties: places.length,
  property_interfaces: interfaces.length,
  property_link_records: 10,
  radius_authorisations: 100,
  radius_sessions: 1000,
  reports: reports.length,
  room_guests: 500,
  rooms: 1000,
  stay_differences: 3,
  told_stays: 10,
  team_users: teams.flatMap((one) => one.people).length,
  teams: teams.length,
  users: 8,
  voucher_batches: batches.length,
  vouchers: batches.reduce((sum, { quantity }) => sum + quantity, 0),
}

async function inDatabase<R extends object>(data_dir: string, text: string): Promise<R[]> {
  const { ownerUrl, stop } = await openDatabase(readConfig({ DATA_DIR: data_dir }))
  const owner = await connect(ownerUrl ?? '')
  try {
    return (await owner.query<R>(text)).rows
  } finally {
    await owner.end()
    await stop()
  }
}

/** The tables with fewer rows than the minimum. */
async function missingIn(data_dir: string) {
  const counts = Object.keys(filled).map(
    (table) => `select '${table}' as name, count(*)::integer as rows from ${table}`,
  )
  const rows = await inDatabase<{ name: keyof typeof filled; rows: number }>(data_dir, counts.join(' union all '))
  return rows.filter((one) => one.rows < filled[one.name])
}

/** What is missing for the first look at a front desk and a dashboard. */
async function lackingIn(data_dir: string) {
  const [found = {}] = await inDatabase<Record<string, boolean>>(
    data_dir,
    `with stays as (select g.*, local_day(now(), p.time_zone) as today from room_guests g join properties p on p.id = g.property_id)
     select exists (select from stays where checked_in_at is null and arrives_on = today) as arriving,
       exists (select from stays where checked_in_at is not null and departs_on = today) as leaving,
       exists (select from stays where departs_on < today) as overdue,
       exists (select from stays where checked_in_at is not null and departs_on > today) as in_house,
       exists (select from radius_sessions where stopped_at is null and last_seen_at > now() - interval '30 minutes') as online,
       exists (select from session_days d join properties p on p.id = d.property_id where d.day = local_day(now(), p.time_zone)) as used,
       exists (select from guest_days where not first_seen) as returning`,
  )
  return Object.keys(found).filter((name) => !found[name])
}

/** Backdates the installation, as if it had been filled some days ago and not been running since. */
async function letDaysGoBy(data_dir: string, days: number) {
  await inDatabase(
    data_dir,
    `begin; update room_guests set checked_in_at = checked_in_at - interval '${days} days', arrives_on = arrives_on - ${days},
       departs_on = departs_on - ${days};
     update room_guests set checked_in_at = null where arrives_on = current_date - ${days};
     update radius_sessions set stopped_at = last_seen_at where stopped_at is null;
     delete from session_days where day > current_date - ${days}; commit`,
  )
  const file = path.join(data_dir, 'demo.json')
  const demo = JSON.parse(fs.readFileSync(file, 'utf8')) as { lived_until: string }
  const lived_until = new Date(Date.parse(demo.lived_until) - days * 86_400_000).toISOString().slice(0, 10)
  fs.writeFileSync(file, JSON.stringify({ ...demo, lived_until }))
}

test(
  'the demo fills an empty installation, prints its logins each time and leaves another installation alone',
  { timeout: 600_000 },
  async () => {
    const data = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-demo-'))
    const demo = () =>
      run(process.execPath, ['--import', './scripts/tsx.mjs', 'scripts/demo.ts'], {
        // Ninety days take a minute of processor time, and show nothing that two weeks do not.
        env: { ...process.env, DATA_DIR: data, DATABASE_URL: '', DEMO_DAYS: '14' },
      })
    try {
      const { stdout } = await demo()
      expect(stdout.match(/@harbourvale\.example/g)).toHaveLength(8)
      expect(stdout.match(/ foyer_[\w-]+/g)).toHaveLength(3)
      const sites = JSON.parse(fs.readFileSync(path.join(data, 'demo.json'), 'utf8')).sites as { holders: unknown[] }[]
      expect(sites.length).toBeGreaterThan(10)
      for (const { holders } of sites) expect(holders.length).toBeGreaterThan(0)
      expect(await missingIn(data)).toEqual([])
      expect(await lackingIn(data)).toEqual([])
      await letDaysGoBy(data, 5)
      expect(await lackingIn(data)).toEqual(expect.arrayContaining(['arriving', 'online', 'used']))
      const again = await demo()
      expect(stdout).toContain(again.stdout.trim())
      expect(await lackingIn(data)).toEqual([])
      const file = path.join(data, 'demo.json')
      const elsewhere = JSON.parse(fs.readFileSync(file, 'utf8')) as { logins: { email: string }[] }
      for (const login of elsewhere.logins) login.email = `other-${login.email}`
      fs.writeFileSync(file, JSON.stringify(elsewhere))
      await expect(demo()).rejects.toThrow(/is in another database than DATABASE_URL names/)
      fs.rmSync(file)
      await expect(demo()).rejects.toThrow(/needs an empty installation/)
    } finally {
      fs.rmSync(data, { recursive: true, force: true })
    }
  },
)
