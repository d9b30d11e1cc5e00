// Demo file: what is known of a demo beside its database: who can sign in, and what its simulated gateways and guests hold.
import fs from 'node:fs'
import path from 'node:path'
import type { SimulatedSite } from '#scripts/simulation/site.ts'

export interface Demo {
  logins: { name: string; email: string; password: string; context: string }[]
  keys: { name: string; token: string }[]
  /** A key that may say where the simulated gateways listen. */
  token: string
  sites: SimulatedSite[]
  /** The day on which it was filled, or last started. Absent in one of an earlier version, as is whose it is. */
  lived_until?: string
  customer_id?: number
}

const fileIn = (data_dir: string) => path.join(data_dir, 'demo.json')

/** Null: no demo stands there. */
export function readDemo(data_dir: string): Demo | null {
  return fs.existsSync(fileIn(data_dir)) ? (JSON.parse(fs.readFileSync(fileIn(data_dir), 'utf8')) as Demo) : null
}

/** For its owner's eyes only: it has passwords. */
export function writeDemo(data_dir: string, demo: Demo) {
  fs.writeFileSync(fileIn(data_dir), JSON.stringify(demo, null, 2), { mode: 0o600 })
}
