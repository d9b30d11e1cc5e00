// The lock file: it must be complete, or `npm ci` refuses it and a fresh clone cannot start.

import fs from 'node:fs'
import { expect, test } from 'vitest'

type Lock = { packages: Record<string, { version?: string; optionalDependencies?: Record<string, string> }> }

const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8')) as Lock

/** Whether Node would find a package that the one at `place` needs. */
function isLocked(place: string, name: string): boolean {
  const folders = place.split('/node_modules/')
  const candidates = folders.map((_, depth) =>
    [...folders.slice(0, folders.length - depth), name].join('/node_modules/'),
  )
  return [...candidates, `node_modules/${name}`].some((candidate) => candidate in packages)
}

// npm leaves out what the registry lacks, and what other systems need if there is a node_modules already.
// To fix it: pin a version that exists for every system, and run `npm install --package-lock-only` in a folder
// with only package.json, .npmrc and the last good lock file.
test('it has what every system needs', () => {
  const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isLocked(place, name))
      .map((name) => `${place || 'package.json'} needs ${name}`),
  )
  expect(missing).toEqual([])
})

/** Versions below these have a known vulnerability in what the server uses of them; null: all versions have. */
const vulnerable: Record<string, string | null> = {
  '@fastify/static': '9.1.1', // `%2F` passes the guards of routes
  kysely: '0.28.17', // keys of a JSON path are not escaped
  'drizzle-orm': '0.45.2', // names are not escaped
  xlsx: null, // prototype pollution, and the sizes that an archive claims are believed
}
const numbers = (version: string) => version.split(/[.-]/).map(Number)
function isOlder(one: string, other: string) {
  const [first, second] = [numbers(one), numbers(other)]
  const at = [0, 1, 2].find((index) => first[index] !== second[index])
  return at !== undefined && (first[at] ?? 0) < (second[at] ?? 0)
}

test('it has no version with a vulnerability that is listed here', () => {
  const open = Object.entries(packages).filter(([place, { version = '0' }]) => {
    const least = vulnerable[place.replace(/^.*node_modules\//, '')]
    return least === null || (least !== undefined && isOlder(version, least))
  })
  expect(open.map(([place]) => place)).toEqual([])
  expect([isOlder('0.28.16', '0.28.17'), isOlder('0.29.0', '0.28.17'), isOlder('9.1.1', '9.1.1')]).toEqual([
    true,
    false,
    false,
  ])
})
