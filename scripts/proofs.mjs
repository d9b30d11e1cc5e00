// `npm run proofs`: the long tests in full, from a new seed. What they found is written into docs/proofs.md with its commit; of a
// run of some of them, their parts of that page. Then the long journeys in full, which only pass or fail.

import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pageOf } from './proofs-page.mjs'
import { log, root, run } from './processes.mjs'
import { build } from './setup.mjs'
import { runJourneys } from './test.mjs'

const seed_max = 1_000_000
const page = path.join(root, 'docs/proofs.md')

/** Runs all proofs, or those of the files that are named: `npm run proofs kills`. `SEED=… npm run proofs` repeats a run. */
export async function proofs(node, files) {
  const seed = process.env.SEED ?? String(randomInt(1, seed_max))
  log(`Running the proofs; SEED=${seed} npm run proofs repeats this run`)
  const reports = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-proofs-'))
  const report = path.join(reports, 'report.json')
  const env = { PROOFS: 'full', SEED: seed }
  await build(node)
  try {
    // The sweeps try every caller.
    const projects = ['--project', 'proofs', '--project', 'sweeps']
    const args = ['run', ...projects, '--no-file-parallelism', '--reporter=default', '--reporter=json']
    // Only journeys may have been named.
    const more = ['--passWithNoTests', `--outputFile.json=${report}`, ...files]
    const code = await run(node, ['node_modules/vitest/vitest.mjs', ...args, ...more], { env })
    if (fs.existsSync(report)) {
      const before = fs.existsSync(page) ? fs.readFileSync(page, 'utf8') : ''
      const found = JSON.parse(fs.readFileSync(report, 'utf8'))
      fs.writeFileSync(page, pageOf(before, found, { made_of: madeOf(node, seed), isWhole: files.length === 0 }))
      log(`Wrote ${path.relative(root, page)}`)
    }
    // What begins with a hyphen narrows a run by the names of its tests.
    const named = files.filter((name) => !name.startsWith('-'))
    const specs = longJourneys().filter((spec) => files.length === 0 || named.some((name) => spec.includes(name)))
    if (specs.length === 0) return code
    const { failed } = await runJourneys(node, specs, path.join(reports, 'journeys.json'), env)
    return code || Number(failed > 0)
  } finally {
    fs.rmSync(reports, { recursive: true, force: true })
  }
}

/** Those that go further in full ask for that. */
function longJourneys() {
  const folder = path.join(root, 'test/journeys')
  const isLong = (name) => fs.readFileSync(path.join(folder, name), 'utf8').includes('#test/proofs/proof.ts')
  const specs = fs.readdirSync(folder).filter((name) => name.endsWith('.spec.ts') && isLong(name))
  return specs.map((name) => `test/journeys/${name}`)
}

/**
 * What a run was made of, as lines of a list; without a seed where nothing was left to chance.
 * @param {string} node the program that the tests ran in
 * @param {string} [seed]
 */
export function madeOf(node, seed) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1)
  // The page itself is what a run writes.
  const isUnchanged = git('status', '--porcelain', '--untracked-files=no', '--', '.', ':!docs/proofs.md') === ''
  const changed = isUnchanged ? '' : ', with changes that are in no commit'
  return [
    `- Commit ${git('rev-parse', 'HEAD')}${changed}`,
    `- ${new Date().toISOString().slice(0, 10)}, ${os.cpus().length} cores, Node ${version}${seed ? `, seed ${seed}` : ''}`,
  ]
}
