// Shards: every long test is in exactly one of them, and the files that are named exist.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

/** Commands must run before anything is installed, so they have no types. */
interface Shards {
  shards: number
  longTests: () => Record<string, string[]>
  leftOut: (seed: number) => string[]
}
const { shards, longTests, leftOut } = (await import(String(new URL('shards.mjs', import.meta.url)))) as Shards

const root = path.join(import.meta.dirname, '..')
const long = Object.values(longTests()).flat()
const runs = Array.from({ length: shards }, (_, seed) => leftOut(seed))

test('each long test is run by exactly one of the shards', () => {
  expect(long.length).toBeGreaterThan(60)
  for (const file of long) expect([file, runs.filter((left) => !left.includes(file)).length]).toEqual([file, 1])
})

test('the shards have as many files of each kind as each other', () => {
  for (const files of Object.values(longTests())) {
    const counts = runs.map((left) => files.filter((file) => !left.includes(file)).length)
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
  }
})

test('the journey from signing up to a guest who is online is in every run', () => {
  for (const left of runs) expect(left).not.toContain('test/journeys/main-job.spec.ts')
})

test('every file that is named exists', () => {
  for (const file of [...long, ...runs.flat()])
    expect([file, fs.existsSync(path.join(root, file))]).toEqual([file, true])
})
