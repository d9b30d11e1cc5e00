// `npm run odd-hours`: the tests at the hours, dates and zones at which date arithmetic tends to go wrong. Needs libfaketime
// (Debian: faketime), which sets the clock of every process of the run, including PostgreSQL.

import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { giveUp, log, run } from './processes.mjs'
import { runJourneys } from './test.mjs'

const libraries = ['x86_64-linux-gnu', 'aarch64-linux-gnu', '.'].map(
  (folder) => `/usr/lib/${folder}/faketime/libfaketimeMT.so.1`,
)

/** In UTC, with the zone of the machine. Clocks change on the last Sundays of March and October, in the Americas on others. */
const moments = [
  ['2027-01-05T00:05:00Z', 'UTC'],
  ['2027-06-15T06:00:00Z', 'Asia/Kolkata'],
  ['2027-06-15T19:45:00Z', 'Europe/London'],
  ['2027-06-30T23:55:00Z', 'Pacific/Kiritimati'],
  ['2028-02-29T00:05:00Z', 'UTC'],
  ['2028-02-29T23:55:00Z', 'America/St_Johns'],
  ['2027-03-28T00:55:00Z', 'Europe/London'],
  ['2027-10-31T00:55:00Z', 'Europe/London'],
  ['2027-03-14T06:55:00Z', 'America/New_York'],
  ['2027-11-07T05:55:00Z', 'America/New_York'],
  ['2027-12-31T23:55:00Z', 'Pacific/Auckland'],
]

/**
 * When the timer of a PostgreSQL that waits for a lock fires, libfaketime shows it the true time, and the timer is set again to the
 * faked time, months later. So a test never sees a lock wait time out, and a deadlock is never resolved.
 */
const needTheTrueClock = ['test/locks.test.ts']

/**
 * Runs unit, sweeps, kinds and HTTP tests at each moment, or the journeys if the first argument is `journeys`; further arguments are passed
 * to the runner.
 */
export async function oddHours(node, args) {
  const library = libraries.find((file) => fs.existsSync(file))
  if (!library) giveUp('libfaketime is not installed (Debian and Ubuntu: apt-get install faketime).')
  const failed = []
  for (const [moment, zone] of moments) {
    log(`Running the tests at ${moment}, in ${zone}`)
    const offset_s = Math.round((Date.parse(moment) - Date.now()) / 1000)
    const env = {
      LD_PRELOAD: library,
      FAKETIME: `${offset_s < 0 ? '' : '+'}${offset_s}s`,
      // Durations are measured by the monotonic clock, which stays true.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      TZ: zone,
    }
    const pass =
      args[0] === 'journeys' ? await journeysPass(node, args.slice(1), env) : await testsPass(node, args, env)
    if (!pass) failed.push(`${moment} ${zone}`)
  }
  log(failed.length > 0 ? `These failed: ${failed.join(', ')}` : 'All passed at every hour')
  return failed.length > 0 ? 1 : 0
}

async function testsPass(node, args, env) {
  const projects = args.some((arg) => arg.startsWith('--project')) ? [] : ['unit', 'sweeps', 'kinds', 'http']
  const chosen = [
    ...projects.flatMap((project) => ['--project', project]),
    ...needTheTrueClock.flatMap((file) => ['--exclude', file]),
  ]
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', ...chosen, ...args]
  return (await run(node, vitest, { env })) === 0
}

async function journeysPass(node, args, env) {
  const report = path.join(os.tmpdir(), `foyer-odd-hours-${process.pid}.json`)
  try {
    const { failed } = await runJourneys(node, args, report, env)
    return failed === 0
  } finally {
    fs.rmSync(report, { force: true })
  }
}
