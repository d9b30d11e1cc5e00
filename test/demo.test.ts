// Demo: fills an empty installation once, tells its logins again, and leaves one that is in use alone.
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { batches, collections, groups, interfaces, keys, packages, places, teams } from '#scripts/demo/operator.ts'
import { portals } from '#scripts/demo/portals.ts'
import { connect } from '#server/db/logins.ts'
import { openDatabase } from '#server/db/open.ts'
import { readConfig } from '#server/start/config.ts'

const run = promisify(execFile)

/** So many rows at least, of each kind of record that a screen lists. */
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
  // One is made elsewhere, and brought in.
  portals: portals.length + 1,
  properties: places.length,
  property_interfaces: interfaces.length,
  radius_authorisations: 100,
  radius_sessions: 1000,
  room_guests: 500,
  rooms: 1000,
  team_users: teams.flatMap((one) => one.people).length,
  teams: teams.length,
  users: 8,
  voucher_batches: batches.length,
  vouchers: batches.reduce((sum, { quantity }) => sum + quantity, 0),
}

/** The tables among these that hold less. */
async function missingIn(data_dir: string) {
  const { ownerUrl, stop } = await openDatabase(readConfig({ DATA_DIR: data_dir }))
  const owner = await connect(ownerUrl ?? '')
  try {
    const counts = Object.keys(filled).map(
      (table) => `select '${table}' as name, count(*)::integer as rows from ${table}`,
    )
    const { rows } = await owner.query<{ name: keyof typeof filled; rows: number }>(counts.join(' union all '))
    return rows.filter((one) => one.rows < filled[one.name])
  } finally {
    await owner.end()
    await stop()
  }
}

test(
  'the demo fills an empty installation, prints its logins each time and leaves another installation alone',
  { timeout: 600_000 },
  async () => {
    const data = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-demo-'))
    const demo = () =>
      run(process.execPath, ['--import', './scripts/tsx.mjs', 'scripts/demo.ts'], {
        env: { ...process.env, DATA_DIR: data, DATABASE_URL: '' },
      })
    try {
      const { stdout } = await demo()
      expect(stdout.match(/@harbourvale\.example/g)).toHaveLength(8)
      expect(stdout.match(/ foyer_[\w-]+/g)).toHaveLength(3)
      const sites = JSON.parse(fs.readFileSync(path.join(data, 'demo.json'), 'utf8')).sites as { holders: unknown[] }[]
      expect(sites.length).toBeGreaterThan(10)
      for (const { holders } of sites) expect(holders.length).toBeGreaterThan(0)
      expect(await missingIn(data)).toEqual([])
      const again = await demo()
      expect(stdout).toContain(again.stdout.trim())
      fs.rmSync(path.join(data, 'demo.json'))
      await expect(demo()).rejects.toThrow(/needs an empty installation/)
    } finally {
      fs.rmSync(data, { recursive: true, force: true })
    }
  },
)
