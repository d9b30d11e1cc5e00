// `npm run proofs`: the long tests in full, from a new seed. What they found is written into docs/proofs.md with its commit.

import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { root, run, say } from './processes.mjs'

const seed_max = 1_000_000
const page = path.join(root, 'docs/proofs.md')
/** The end of the page, from this heading on, is the output of `npm run proof:opennds`. */
const kept_from = '## Through a real openNDS'

/** Runs all proofs, or those of the files that are named: `npm run proofs kills`. `SEED=… npm run proofs` repeats a run. */
export async function proofs(node, files) {
  const seed = process.env.SEED ?? String(randomInt(1, seed_max))
  say(`Running the proofs; SEED=${seed} npm run proofs repeats this run`)
  const reports = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-proofs-'))
  const report = path.join(reports, 'report.json')
  try {
    const args = ['run', '--project', 'proofs', '--no-file-parallelism', '--reporter=default', '--reporter=json']
    const code = await run(node, ['node_modules/vitest/vitest.mjs', ...args, `--outputFile.json=${report}`, ...files], {
      env: { PROOFS: 'full', SEED: seed },
    })
    // A run of some of them must not take the place of a run of all.
    if (files.length === 0 && fs.existsSync(report)) {
      fs.writeFileSync(page, `${pageOf(JSON.parse(fs.readFileSync(report, 'utf8')), seed).trimEnd()}\n${keptOfPage()}`)
      say(`Wrote ${path.relative(root, page)}`)
    }
    return code
  } finally {
    fs.rmSync(reports, { recursive: true, force: true })
  }
}

function keptOfPage() {
  const before = fs.existsSync(page) ? fs.readFileSync(page, 'utf8') : ''
  const at = before.indexOf(kept_from)
  return at === -1 ? '' : `\n${before.slice(at)}`
}

function pageOf({ testResults, numPassedTests, numFailedTests }, seed) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const changed =
    git('status', '--porcelain', '--untracked-files=no') === '' ? '' : ', with changes that are in no commit'
  const files = testResults.toSorted((one, other) => one.name.localeCompare(other.name)).map(linesOf)
  return `# Proofs

What the last whole run of \`npm run proofs\` found; that command writes this page. \`npm test\` runs a hundredth of it.

- Commit ${git('rev-parse', 'HEAD')}${changed}
- ${new Date().toISOString().slice(0, 10)}, ${os.cpus().length} cores, Node ${process.versions.node}, seed ${seed}
- ${numPassedTests} passed, ${numFailedTests} failed

${files.join('\n')}
`
}

/** A file's tests: those with figures or failures one by one, the others counted. */
function linesOf({ name, assertionResults, startTime, endTime }) {
  const special = assertionResults.filter(({ status, meta }) => status !== 'passed' || meta?.figures)
  const plain = assertionResults.length - special.length
  const seconds = Math.round((endTime - startTime) / 1000)
  return [
    `## ${path.basename(name, '.test.ts')} (${seconds} s)\n`,
    ...special.map(({ title, status, meta }) => `- ${title}: ${status}${meta?.figures ? `; ${meta.figures}` : ''}`),
    ...(plain > 0 ? [`- ${plain} tests without figures: passed`] : []),
    '',
  ].join('\n')
}
