// `npm run check`: everything that can be said about the sources without a browser. Every step runs, whatever failed before.

import { run, say } from './processes.mjs'

const steps = {
  format: ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.'],
  lint: ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings', '--quiet'],
  types: ['node_modules/typescript/bin/tsc'],
  floors: ['scripts/check-floors.ts'],
  'dead code': ['node_modules/knip/bin/knip.js', '--no-progress'],
  tests: [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'unit',
    '--project',
    'sweeps',
    '--reporter=dot',
    '--passWithNoTests',
  ],
}

export async function check(node) {
  const failed = []
  for (const [name, args] of Object.entries(steps)) {
    say(`Checking ${name}`)
    if ((await run(node, args)) !== 0) failed.push(name)
  }
  say(failed.length > 0 ? `These checks failed: ${failed.join(', ')}` : 'All checks passed')
  return failed.length > 0 ? 1 : 0
}
