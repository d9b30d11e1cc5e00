// `npm run check`: everything that can be said about the sources without a database or a browser; with `--changed` what is to be said
// of the files that were changed.

import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { capture, log, processorSeconds, root } from './processes.mjs'

const tsc = 'node_modules/typescript/bin/tsc'
/** What the tools know of the files that have not changed since: a second check takes a fraction of the first. */
const cache = (name) => path.join('node_modules', '.cache', 'check', name)
/** A project for each floor, so that none uses what it will not have at run time; the last one has the tests and tools. */
const projects = ['contract', 'catalogue', 'portal', 'server', 'web', '.'].filter((folder) =>
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

/** Which projects have to be looked at again when a file of a floor has changed: its own, and those that see it. */
const seen_by = {
  contract: projects,
  catalogue: projects.filter((name) => name !== 'contract'),
  portal: ['portal', 'server', 'web', '.'],
  server: ['server', '.'],
  web: ['web', '.'],
}
const isSource = (file) => /\.(ts|tsx|mjs)$/.test(file)

/** The same checks of these files alone. What is unused anywhere is only said of the whole. */
function checksOf(changed) {
  const affected = new Set(changed.filter(isSource).flatMap((file) => seen_by[file.split('/')[0]] ?? ['.']))
  const files = changed.filter((name) => fs.existsSync(path.join(root, name)))
  const sources = files.filter(isSource)
  const [[prettier, ...prettier_args]] = checks.format
  return {
    format:
      files.length > 0 ? [[prettier, ...prettier_args.filter((arg) => arg !== '.'), '--ignore-unknown', ...files]] : [],
    lint: sources.length > 0 ? [[...checks.lint[0], ...sources]] : [],
    types: checks.types.filter((_, n) => affected.has(projects[n])),
    floors: checks.floors,
    units:
      sources.length > 0
        ? [
            [
              'node_modules/vitest/vitest.mjs',
              'related',
              '--run',
              '--project',
              'unit',
              '--reporter=dot',
              '--passWithNoTests',
              ...sources,
            ],
          ]
        : [],
  }
}

/** Files that differ from a commit, those included that are gone, and those that git does not know yet. */
function changedSince(commit) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  const [base] = git('merge-base', 'HEAD', commit)
  const names = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')]
  return [...new Set(names)]
}

/**
 * Runs all checks, whatever failed before, or those that are named: `npm run check types floors`. With `--changed` only of what differs
 * from `main`, or with `--changed=COMMIT` from that.
 */
export async function check(node, args) {
  const since = args.flatMap((arg) => /^--changed(?:=(.+))?$/.exec(arg)?.[1] ?? (arg === '--changed' ? 'main' : []))[0]
  const names = args.filter((arg) => !arg.startsWith('--changed'))
  const all = since === undefined ? checks : checksOf(changedSince(since))
  const unknown = names.filter((name) => !Object.hasOwn(all, name))
  if (unknown.length > 0) {
    console.error(`There is no check "${unknown[0]}". There are ${Object.keys(all).join(', ')}.`)
    return 1
  }
  const chosen = names.length > 0 ? names : Object.keys(all)
  const waiting = chosen.flatMap((name) => all[name].map((args) => ({ name, args })))
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
