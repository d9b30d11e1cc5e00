// `npm run check`: everything that can be said about the sources without a database or a browser.

import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { capture, log, processorSeconds, root } from './processes.mjs'

const tsc = 'node_modules/typescript/bin/tsc'
/** What the tools know of the files that have not changed since: a second check takes a fraction of the first. */
const cache = (name) => path.join('node_modules', '.cache', 'check', name)
/** A project for each floor, so that none uses what it will not have at run time; the last one has the tests and tools. */
const projects = ['contract', 'portal', 'server', 'web', '.'].filter((folder) =>
  fs.existsSync(path.join(root, folder, 'tsconfig.json')),
)

const remembering = (place) => ['--cache', '--cache-strategy=content', '--cache-location', place]
/** The commands of each check, arguments of Node. */
const checks = {
  format: [
    ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', ...remembering(cache('format')), '.'],
  ],
  lint: [['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings', '--quiet']],
  // Several threads would check the shared files several times over.
  types: projects.map((folder) => {
    const known = cache(`types-${path.basename(path.resolve(root, folder))}`)
    return [tsc, '--project', folder, '--singleThreaded', '--incremental', '--tsBuildInfoFile', known]
  }),
  floors: [['scripts/check-floors.ts']],
  'dead-code': [['node_modules/knip/bin/knip.js', '--no-progress', '--cache', '--cache-location', cache('dead-code')]],
  units: [['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', '--reporter=dot']],
}

/** Runs all checks, whatever failed before, or those that are named: `npm run check types floors`. */
export async function check(node, names) {
  const unknown = names.filter((name) => !Object.hasOwn(checks, name))
  if (unknown.length > 0) {
    console.error(`There is no check "${unknown[0]}". There are ${Object.keys(checks).join(', ')}.`)
    return 1
  }
  const chosen = names.length > 0 ? names : Object.keys(checks)
  const waiting = chosen.flatMap((name) => checks[name].map((args) => ({ name, args })))
  const failed = []
  const before = processorSeconds()
  log(`Checking ${chosen.join(', ')}`)
  /** Takes one after the other, beside others who do; what one says stands together. */
  async function work() {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { code, output } = await capture(node, next.args)
      if (output.trim() !== '') process.stdout.write(`› ${next.name}\n${output}`)
      if (code !== 0) failed.push(next.name)
    }
  }
  await Promise.all(Array.from({ length: os.availableParallelism() }, work))
  if (before !== null) log(`The checks took ${(processorSeconds() - before).toFixed(0)} s of processor time`)
  log(failed.length > 0 ? `These checks failed: ${[...new Set(failed)].join(', ')}` : 'All checks passed')
  return failed.length > 0 ? 1 : 0
}
