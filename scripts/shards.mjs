// Shards: `npm test` runs the long tests by turns. Each run takes one shard of them, chosen by the seed; what is named runs whole.

import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { giveUp, root } from './processes.mjs'

export const shards = 8

/**
 * Proofs that run only by their names and in `npm run proofs`: about a machine under load, kinds of kills beyond the first, and a
 * database that takes minutes to fill.
 */
const never = /^test\/proofs\/(load\/|kills-(import|push|steps|vouchers)\.|upgrade-(history|whole)\.)/
/** Journeys of every run: from signing up to a guest who is online, a day at the desk, and a bill. */
const always = ['auth', 'billing', 'desk', 'guest-sign-in', 'main-job'].map((name) => `test/journeys/${name}.spec.ts`)
/** HTTP tests that start whole programs, or that wait for most of their time. */
const programs = [
  'demo',
  'freeradius',
  'launcher',
  'locks',
  'noisy-neighbour',
  'online',
  'removal',
  'replica',
  'rotation',
  'simulation',
  'two-nodes',
  'used-up',
].map((name) => `test/${name}.test.ts`)

/** A number that is the same for the same commit; `SEED=… npm test` sets another one. */
export function seedOf() {
  const given = process.env.SEED
  if (given && !/^\d{1,9}$/.test(given)) giveUp(`SEED is a whole number, and not "${given}".`)
  if (given) return Number(given)
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: 'pipe' })
    return Number.parseInt(commit.slice(0, 5), 16)
  } catch {
    // Sources without their history.
    return 1
  }
}

/** The paths of a folder's files, and of those in its folders. */
const filesIn = (folder, end) =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end))
    .map((name) => `${folder}/${name}`)
    .toSorted()

/** The long tests that take turns: their paths in three groups, each of which is dealt out by itself. */
export const longTests = () => ({
  proofs: filesIn('test/proofs', '.test.ts').filter((file) => !never.test(file)),
  programs,
  journeys: filesIn('test/journeys', '.spec.ts').filter((file) => !always.includes(file)),
})

/** The files that a run by this seed leaves out. */
export const leftOut = (seed) => [
  ...filesIn('test/proofs', '.test.ts').filter((file) => never.test(file)),
  ...Object.values(longTests()).flatMap((files) => files.filter((_, index) => index % shards !== seed % shards)),
]
