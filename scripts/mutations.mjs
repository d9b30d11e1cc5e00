// `npm run mutations`: mutation testing. Stryker changes one place at a time in the modules that decide who may do what, and the tests
// must fail each time; or a sample of small wrong changes is made in what some commits have changed. The score and the surviving mutants
// become a part of docs/proofs.md.

import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { giveUp, log, root, run } from './processes.mjs'
import { isEnough, mutationsOf, partOfRange } from './mutations/range.mjs'
import { pageWith } from './proofs-page.mjs'
import { madeOf } from './proofs.mjs'

const page = path.join(root, 'docs/proofs.md')
/** Modules with the tests that cover them, quick ones first: hundreds of runs have to finish within a night. */
const parts = {
  rights: {
    modules: ['server/access/policies.ts', 'server/access/key-rights.ts', 'server/api/reserved.ts'],
    tests: [
      'server/access/*.test.ts',
      'server/api/reserved.test.ts',
      'server/resources/user-profile/own-sign-in.test.ts',
      'test/sweeps/roles.test.ts',
    ],
  },
  reach: {
    modules: ['server/access/reach.ts', 'server/access/tenancy.ts'],
    tests: ['server/access/reach.test.ts', 'server/access/scope.test.ts', 'server/access/tenancy.test.ts'],
  },
}

/**
 * All parts, those with the named modules, or what commits have changed: `npm run mutations key-rights`, `npm run mutations main~9..main`.
 */
export async function mutations(node, names) {
  const [range] = names
  if (range?.includes('..')) {
    const found = await mutationsOf(node, range)
    const part = partOfRange(found, madeOf(node))
    fs.writeFileSync(page, pageWith(fs.readFileSync(page, 'utf8'), part))
    log(`${part.text}\n`)
    return Number(!isEnough(found))
  }
  const chosen = Object.entries(parts)
    .map(([name, { modules, tests }]) => ({ name, tests, modules: modules.filter((file) => isNamed(file, names)) }))
    .filter(({ modules }) => modules.length > 0)
  if (chosen.length === 0)
    giveUp(
      `There is no such module. There are ${Object.values(parts)
        .flatMap((part) => part.modules)
        .join(', ')}.`,
    )
  const reports = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-mutations-'))
  let failed = 0
  try {
    for (const { modules, tests } of chosen) {
      log(`Changing ${modules.join(', ')}`)
      const report = path.join(reports, 'report.json')
      fs.rmSync(report, { force: true })
      const env = { MUTATIONS_OF: modules.join(' '), MUTATIONS_TESTS: tests.join(' '), MUTATIONS_REPORT: report }
      const stryker = [
        'node_modules/@stryker-mutator/core/bin/stryker.js',
        'run',
        'scripts/mutations/stryker.config.mjs',
      ]
      const code = await run(node, stryker, { env })
      if (code !== 0) failed++
      if (!fs.existsSync(report)) continue
      for (const [file, { mutants, source }] of Object.entries(JSON.parse(fs.readFileSync(report, 'utf8')).files))
        fs.writeFileSync(page, pageWith(fs.readFileSync(page, 'utf8'), partOf(node, file, mutants, source.split('\n'))))
      log(`Wrote ${path.relative(root, page)}`)
    }
  } finally {
    fs.rmSync(reports, { recursive: true, force: true })
  }
  return Number(failed > 0)
}

const isNamed = (file, names) => names.length === 0 || names.some((name) => file.includes(name))

/** The share of mutants that the tests noticed, and each that survived. */
function partOf(node, file, mutants, lines) {
  const noticed = mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout')
  const missed = mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
  const name = `mutations of ${file}`
  const score = ((100 * noticed.length) / (noticed.length + missed.length)).toFixed(1)
  const survivors = missed.map(
    ({ location: { start }, replacement }) =>
      `- Not noticed, line ${start.line}: \`${lines[start.line - 1].trim()}\` with \`${replacement.replaceAll(/\s+/g, ' ')}\``,
  )
  const all = noticed.length + missed.length
  const broke = mutants.filter(({ status }) => status === 'RuntimeError').length
  const note = broke > 0 ? `; with ${broke} more the tests could not begin` : ''
  const summary = `- Of ${all} changes the tests noticed ${noticed.length}: ${score} %${note}`
  return { name, text: [`## ${name} (${all})\n`, ...madeOf(node), summary, ...survivors].join('\n') }
}
