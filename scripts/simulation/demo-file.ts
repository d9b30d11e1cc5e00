// Demo file: what is kept of a demo besides its database: logins, keys, and the credentials of its simulated gateways and guests.
import fs from 'node:fs'
import path from 'node:path'
import type { FrontOffice } from '#scripts/simulation/front-office.ts'
import type { SimulatedSite } from '#scripts/simulation/site.ts'

export interface Demo {
  logins: { name: string; email: string; password: string; context: string }[]
  keys: { name: string; token: string }[]
  /** A key with which the simulated gateways set the ports on which they listen. */
  token: string
  sites: SimulatedSite[]
  /** Absent in demos of an earlier version. */
  front_office?: FrontOffice
  /** The day on which it was filled or last started. Absent in demos of an earlier version, as is `customer_id`. */
  lived_until?: string
  customer_id?: number
}

const fileIn = (data_dir: string) => path.join(data_dir, 'demo.json')

/** Null if there is no demo. */
export function readDemo(data_dir: string): Demo | null {
  return fs.existsSync(fileIn(data_dir)) ? (JSON.parse(fs.readFileSync(fileIn(data_dir), 'utf8')) as Demo) : null
}

/** Readable by its owner only, as it contains passwords. */
export function writeDemo(data_dir: string, demo: Demo) {
  fs.writeFileSync(fileIn(data_dir), JSON.stringify(demo, null, 2), { mode: 0o600 })
}
