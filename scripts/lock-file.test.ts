// The lock file: complete, or `npm ci` refuses it and a bare clone cannot start.

import fs from 'node:fs'
import { expect, test } from 'vitest'

type Lock = { packages: Record<string, { version?: string; optionalDependencies?: Record<string, string> }> }

const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8')) as Lock

/** Where Node would look for a package that the one at `place` needs. */
function isLocked(place: string, name: string): boolean {
  const folders = place.split('/node_modules/')
  const ways = folders.map((_, depth) => [...folders.slice(0, folders.length - depth), name].join('/node_modules/'))
  return [...ways, `node_modules/${name}`].some((way) => way in packages)
}

// npm leaves out what the registry does not have and what other systems need when it finds node_modules in place.
// To mend it: pin a version that is there for every system, and run `npm install --package-lock-only` in an empty
// folder that holds only package.json, .npmrc and the last good lock file.
test('it has what every system needs', () => {
  const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isLocked(place, name))
      .map((name) => `${place || 'package.json'} needs ${name}`),
  )
  expect(missing).toEqual([])
})
