// `npm test`: unit, sweeps, HTTP tests and a hundredth of the proofs on a real PostgreSQL, then journeys in a real Chromium,
// counted together.

import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { findChromium } from './chromium.mjs'
import { run, say } from './processes.mjs'
import { build } from './setup.mjs'

const projects = ['unit', 'sweeps', 'http', 'proofs']

/**
 * Runs all tests. The first word may narrow that down to `unit`, `sweeps`, `http`, `proofs` or `journeys`; what
 * follows goes to the runner: `npm test http server/start/config.test.ts`, `npm test journeys -- --headed`.
 */
export async function test(node, [first, ...rest]) {
  const reports = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-reports-'))
  try {
    const totals = []
    if (first !== 'journeys') totals.push(await runVitest(node, first, rest, path.join(reports, 'vitest.json')))
    if (!projects.includes(first)) totals.push(await runJourneys(node, rest, path.join(reports, 'journeys.json')))
    return summary(totals)
  } finally {
    fs.rmSync(reports, { recursive: true, force: true })
  }
}

async function runVitest(node, project, args, report) {
  say(`Running ${projects.includes(project) ? project : 'unit, sweeps, HTTP tests and proofs'}`)
  const chosen = projects.includes(project) ? ['--project', project] : []
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const code = await run(node, [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...chosen,
    ...reporters,
    '--passWithNoTests',
    ...args,
  ])
  return count(code, report, (vitest) => ({
    passed: vitest.numPassedTests,
    failed: vitest.numFailedTests,
    skipped: vitest.numPendingTests + vitest.numTodoTests,
  }))
}

async function runJourneys(node, args, report) {
  await build(node)
  const chromium = await findChromium(node)
  say(`Running the journeys in ${chromium.path}`)
  const env = { CHROME: chromium.path, ...chromium.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  const code = await run(node, ['node_modules/@playwright/test/cli.js', 'test', '--pass-with-no-tests', ...args], {
    env,
  })
  return count(code, report, ({ stats }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
  }))
}

/** A run that broke before or beside its tests counts as one that failed. */
function count(code, report, read) {
  const counts = fs.existsSync(report)
    ? read(JSON.parse(fs.readFileSync(report, 'utf8')))
    : { passed: 0, failed: 0, skipped: 0 }
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

function summary(totals) {
  const sum = (name) => totals.reduce((total, counts) => total + counts[name], 0)
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped}`)
  return sum('failed') === 0 && sum('passed') > 0 ? 0 : 1
}
