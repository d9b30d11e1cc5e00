// Version: the release that this program is, as its package names it.
import fs from 'node:fs'
import { findPackageJSON } from 'node:module'

/** Such as `1.0.0`; what a release brings stands in CHANGELOG.md. */
export const version = readVersion()

function readVersion(): string {
  const file = findPackageJSON(import.meta.url)
  if (file === undefined) throw new Error('The package of this program is not there')
  return (JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string }).version
}
