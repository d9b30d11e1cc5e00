// `npm test`: unit, sweeps, HTTP tests and proofs on a real PostgreSQL, then journeys in a real Chromium, counted together. Of the
// long ones a shard (shards.mjs).

import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { findChromium } from './chromium.mjs'
import { log, processorSeconds, root, run } from './processes.mjs'
import { build } from './setup.mjs'
import { leftOut, seedOf, shards } from './shards.mjs'

const projects = ['unit', 'sweeps', 'kinds', 'http', 'proofs']

/**
 * Runs everything, of the long tests one shard. The first word may narrow that down to `unit`, `sweeps`, `kinds`, `http`, `proofs`
 * or `journeys`, which then run whole; what follows goes to the runner: `npm test journeys -- --headed`. Files run by their names
 * alone: `npm test server/start/config.test.ts test/journeys/desk.spec.ts`.
 */
export async function test(node, args) {
  if (args.length === 0) takeShard()
  const runs = runsOf(args)
  const scratch = openScratch()
  process.env.TMPDIR = scratch
  const reports = fs.mkdtempSync(path.join(scratch, 'reports-'))
  try {
    const totals = []
    giveWay()
    if (runs.vitest) totals.push(await runVitest(node, runs.project, runs.vitest, path.join(reports, 'vitest.json')))
    if (runs.journeys) totals.push(await runJourneys(node, runs.journeys, path.join(reports, 'journeys.json')))
    return summary(totals)
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

/** Which runner gets which arguments; one that is absent does not run. */
function runsOf(args) {
  const [first, ...rest] = args
  if (first === undefined) return { vitest: [], journeys: [] }
  if (first === 'journeys') return { journeys: rest }
  if (projects.includes(first)) return { project: first, vitest: rest }
  const isJourney = (arg) => /\.spec\.ts(:\d+)?$/.test(arg)
  const [journeys, files] = [args.filter(isJourney), args.filter((arg) => !isJourney(arg))]
  return { vitest: files.length > 0 ? files : undefined, journeys: journeys.length > 0 ? journeys : undefined }
}

/** Both runners leave out the files of `LEFT_OUT` (vitest.config.ts, playwright.config.ts). */
function takeShard() {
  const seed = seedOf()
  log(`Of the long tests this run takes one shard in ${shards}; SEED=${seed} npm test takes the same`)
  Object.assign(process.env, { SEED: String(seed), LEFT_OUT: leftOut(seed).join(',') })
}

const memory = '/dev/shm'
const scratch_bytes_min = 6e9

/**
 * A folder for everything that the tests write. In memory where Linux has room for it: each test file has a database of its own, of
 * two thousand files, and some disks take a second for them.
 */
export function openScratch() {
  const folder = hasRoomInMemory() ? memory : os.tmpdir()
  for (const name of fs.readdirSync(folder)) {
    const [, pid] = /^foyer-tests-(\d+)-/.exec(name) ?? []
    const place = path.join(folder, name)
    if (pid && hasEnded(Number(pid)) && fs.statSync(place).uid === process.getuid())
      fs.rmSync(place, { recursive: true, force: true })
  }
  const scratch = fs.mkdtempSync(path.join(folder, `foyer-tests-${process.pid}-`))
  // As root, the database runs as another user, who must be able to pass through.
  fs.chmodSync(scratch, 0o711)
  return scratch
}

/** A killed run leaves its folder behind. */
function hasEnded(pid) {
  try {
    return !process.kill(pid, 0)
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

function hasRoomInMemory() {
  if (!fs.existsSync(memory)) return false
  const { bavail, bsize } = fs.statfsSync(memory)
  return bavail * bsize >= scratch_bytes_min
}

/**
 * What reads uploads gives way to the rest of Foyer (server/turns/confined.ts). On a machine that tests keep busy it would
 * wait for most of their time, so that all of them give way as much.
 */
function giveWay() {
  os.setPriority(Math.max(os.getPriority(), 5))
}

async function runVitest(node, project, args, report) {
  log(`Running ${project ?? 'unit, sweeps, HTTP tests and proofs'}`)
  const chosen = project ? ['--project', project] : []
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const runner = 'node_modules/vitest/vitest.mjs'
  const code = await run(node, [runner, 'run', ...chosen, ...reporters, '--passWithNoTests', ...args])
  return count(code, report, (vitest) => ({
    passed: vitest.numPassedTests,
    failed: vitest.numFailedTests,
    skipped: vitest.numPendingTests + vitest.numTodoTests,
    faults: vitest.testResults.flatMap(faultsOfFile),
    flaky: vitest.testResults.flatMap(flakyOfFile),
  }))
}

/** `further` is added to their environment. */
export async function runJourneys(node, args, report, further = {}) {
  await build(node)
  const chromium = await findChromium(node, { windows: args.some((arg) => /^--(headed|ui|debug)\b/.test(arg)) })
  log(`Running the journeys in ${chromium.path}`)
  const env = { ...further, CHROME: chromium.path, ...chromium.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  const code = await run(node, ['node_modules/@playwright/test/cli.js', 'test', '--pass-with-no-tests', ...args], {
    env,
  })
  return count(code, report, ({ stats, suites }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
    faults: suites.flatMap(faultsOfSuite),
    flaky: suites.flatMap(flakyOfSuite),
  }))
}

/** The failed tests of one file of Vitest, or the file itself where it failed outside of its tests. */
function faultsOfFile({ name, status, message, assertionResults }) {
  const file = path.relative(root, name)
  const failed = assertionResults.filter((test) => test.status === 'failed')
  if (failed.length === 0) return status === 'failed' ? [fault(file, '', message)] : []
  return failed.map((test) => fault(file, test.fullName, test.failureMessages[0]))
}

/** The failed journeys of one suite of Playwright and of those inside it. */
function faultsOfSuite({ specs = [], suites = [] }) {
  const failed = specs.filter((spec) => !spec.ok)
  return [
    ...failed.map((spec) => fault(spec.file, spec.title, spec.tests.at(-1)?.results.at(-1)?.error?.message)),
    ...suites.flatMap(faultsOfSuite),
  ]
}

/** The tests of one file of Vitest that passed at their second try. */
function flakyOfFile({ name, assertionResults }) {
  const flaky = assertionResults.filter((test) => test.status === 'passed' && test.failureMessages.length > 0)
  return flaky.map((test) => fault(path.relative(root, name), test.fullName, test.failureMessages[0]))
}

/** The journeys of one suite of Playwright, and of those inside it, that passed at their second try. */
function flakyOfSuite({ specs = [], suites = [] }) {
  const tries = specs.flatMap((spec) => spec.tests.map((test) => ({ spec, test })))
  const flaky = tries.filter(({ test }) => test.status === 'flaky')
  return [
    ...flaky.map(({ spec, test }) => fault(spec.file, spec.title, test.results[0]?.error?.message)),
    ...suites.flatMap(flakyOfSuite),
  ]
}

/** One line: where it failed, which test, and the first line of the reason. */
function fault(file, title, reason = '') {
  return [file, title, stripVTControlCharacters(reason).trim().split('\n')[0]].filter(Boolean).join(' › ')
}

/** A run that broke before or beside its tests counts as one that failed. */
function count(code, report, read) {
  const counts = fs.existsSync(report)
    ? read(JSON.parse(fs.readFileSync(report, 'utf8')))
    : { passed: 0, failed: 0, skipped: 0, faults: [], flaky: [] }
  if (code === 0 || counts.failed > 0) return counts
  const beside = `the run ended with code ${code} before or beside its tests; its own message stands above`
  return { ...counts, failed: 1, faults: [...counts.faults, beside] }
}

function summary(totals) {
  const sum = (name) => totals.reduce((total, counts) => total + counts[name], 0)
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''
  // The last lines are what is read first, and all that some logs keep.
  const [faults, flaky] = [totals.flatMap((counts) => counts.faults), totals.flatMap((counts) => counts.flaky)]
  if (flaky.length > 0) console.log(`\nPassed at the second try:\n${flaky.map((line) => `  ${line}`).join('\n')}`)
  if (faults.length > 0) console.log(`\nFailed:\n${faults.map((line) => `  ${line}`).join('\n')}`)
  const spent_s = processorSeconds()
  if (spent_s !== null) console.log(`\nThe tests took ${Math.round(spent_s)} s of processor time`)
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped}`)
  return sum('failed') === 0 && sum('passed') > 0 ? 0 : 1
}
