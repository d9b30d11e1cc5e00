// Range: mutation tests of what some commits have changed: a hundred of Stryker's mutants, over three seeds fixed before, and twenty that
// Stryker does not make. Each is made in a copy of the sources; one that does not compile does not count, and the others the nearest
// tests must notice.

import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { capture, giveUp, log, root } from '#scripts/processes.mjs'
import { chosen, othersOf, strykersOf } from './changes.mjs'
import { openTests } from './nearest-tests.mjs'

const seeds = [1, 2, 3]
const counts = { stryker: 100, others: 20 }
const noticed_min = 0.85
/** A change by which the tests hang is noticed. */
const hangs_ms = 600_000
/** What does not compile is none of ours, and tests that fail anyway say nothing. */
const isCounted = ({ result }) => result !== 'no code' && result !== 'not judged'

const git = (...args) => {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e9 })
  if (status !== 0) giveUp(stderr)
  return stdout
}
const isSource = (file) =>
  /^(contract|portal|server|web)\/.*\.tsx?$/.test(file) &&
  !/\.test\.tsx?$|^server\/db\/(tables|backfills)|simulation|\.d\.ts$/.test(file)

/** What became of the changes that were made in `<from>..<to>`. `MUTANTS=30` takes fewer. */
export async function mutationsOf(node, range) {
  const [from, to = 'HEAD'] = range.split('..')
  // Not below node_modules, where Node runs no sources.
  const folder = path.join(root, 'test-results/mutations', String(process.pid))
  try {
    copyOf(to, folder)
    const sources = git('ls-tree', '-r', '--name-only', to).split('\n')
    const nearest = openTests(folder, sources)
    const all = await changesIn(from, to, folder)
    const count = Number(process.env.MUTANTS ?? counts.stryker)
    const others = Math.ceil((count * counts.others) / counts.stryker)
    log(`${all.stryker.length} of Stryker's changes and ${all.others.length} others can be made in ${range}`)
    const results = []
    for (const [kind, candidates] of [
      ['stryker', byTurns(seeds.map((seed) => shareOf(all.stryker, seed)))],
      ['others', chosen(all.others, all.others.length, seeds[0])],
    ]) {
      const wanted = kind === 'stryker' ? count : others
      const judge = openJudge(node, folder, nearest)
      for (const change of candidates) {
        if (results.filter((one) => one.kind === kind && isCounted(one)).length >= wanted) break
        const result = await judge(change)
        results.push({ ...change, kind, result, source: lineOf(folder, change) })
        log(`${result}: ${change.file}:${change.line}, ${change.what}`)
      }
    }
    return { from: git('rev-parse', '--short', from).trim(), to: git('rev-parse', '--short', to).trim(), results }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** A part that no other seed has. */
const shareOf = (all, seed) =>
  chosen(
    all.filter((_, index) => index % seeds.length === seeds.indexOf(seed)),
    all.length,
    seed,
  )

/** The first of each, then the second of each: a part of any length has all of them. */
const byTurns = (shares) =>
  Array.from({ length: Math.max(...shares.map((share) => share.length)) }, (_, at) => at).flatMap((at) =>
    shares.flatMap((share) => share.slice(at, at + 1)),
  )

function copyOf(commit, folder) {
  fs.mkdirSync(folder, { recursive: true })
  const archive = path.join(folder, 'sources.tar')
  git('archive', '--output', archive, commit)
  spawnSync('tar', ['-xf', archive, '-C', folder])
  fs.rmSync(archive)
  // Hard links: what reads uploads may read its own folder alone, and follows no link out of it.
  const packages = path.join(root, 'node_modules')
  const all = fs.readdirSync(packages).filter((one) => one !== '.cache')
  fs.mkdirSync(path.join(folder, 'node_modules'))
  spawnSync('cp', ['-Rl', ...all.map((one) => path.join(packages, one)), path.join(folder, 'node_modules')])
}

async function changesIn(from, to, folder) {
  const lines = new Map()
  let file = ''
  for (const line of git('diff', '--unified=0', '--no-renames', from, to).split('\n')) {
    const [, named] = /^\+\+\+ b\/(.+)$/.exec(line) ?? []
    if (named !== undefined) file = named
    const [, begin, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? []
    if (begin === undefined || !isSource(file)) continue
    const known = lines.get(file) ?? new Set()
    for (let at = 0; at < Number(count); at++) known.add(Number(begin) + at)
    lines.set(file, known)
  }
  const found = { stryker: [], others: [] }
  for (const [name, of] of lines) {
    const source = fs.readFileSync(path.join(folder, name), 'utf8')
    found.stryker.push(...(await strykersOf(name, source, of)))
    found.others.push(...othersOf(name, source, of))
  }
  return found
}

const lineOf = (folder, { file, line }) =>
  fs.readFileSync(path.join(folder, file), 'utf8').split('\n')[line - 1]?.trim() ?? ''

/** Makes a change, asks whether it compiles and whether the nearest tests notice it, and takes it back. */
function openJudge(node, folder, nearest) {
  const passes = new Map()
  const runs = async (tests) => {
    const { code } = await within(capture(node, ['scripts/run.mjs', 'test', ...tests, '--bail=1'], { cwd: folder }))
    return code === 0
  }
  return async ({ file, from, to, text }) => {
    const place = path.join(folder, file)
    const before = fs.readFileSync(place, 'utf8')
    const tests = nearest(file)
    if (tests.length === 0) return 'no test'
    const key = tests.join(' ')
    if (!passes.has(key)) passes.set(key, await runs(tests))
    if (!passes.get(key)) return 'not judged'
    fs.writeFileSync(place, before.slice(0, from) + text + before.slice(to))
    try {
      if (!(await compiles(node, folder, file))) return 'no code'
      return (await runs(tests)) ? 'not noticed' : 'noticed'
    } finally {
      fs.writeFileSync(place, before)
    }
  }
}

const within = (work) =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, hangs_ms, { code: 1 }).unref())])

async function compiles(node, folder, file) {
  const project = file.split('/')[0]
  const known = path.join(folder, `.types-${project}`)
  const args = ['--project', project, '--noEmit', '--incremental', '--tsBuildInfoFile', known]
  const { code } = await capture(node, ['node_modules/typescript/bin/tsc', ...args], { cwd: folder })
  return code === 0
}

/** The part of docs/proofs.md about it. */
export function partOfRange({ from, to, results }, made_of) {
  const counted = results.filter(isCounted)
  const line = (kind, what) => {
    const those = counted.filter((one) => one.kind === kind)
    const noticed = those.filter(({ result }) => result === 'noticed').length
    return `- Of ${those.length} ${what} the nearest tests noticed ${noticed}: ${((100 * noticed) / those.length).toFixed(0)} %`
  }
  const [without, unjudged] = ['no code', 'not judged'].map((of) => results.filter(({ result }) => result === of))
  const survivors = counted
    .filter(({ result }) => result !== 'noticed')
    .map(({ file, line: at, source, what, text, result }) => {
      const now = text.replaceAll(/\s+/g, ' ').slice(0, 80)
      return `- ${result === 'no test' ? 'No test' : 'Not noticed'}, ${file}:${at}, ${what}: \`${source}\` with \`${now}\``
    })
  const name = `mutations of ${from}..${to}`
  const summary = [
    line('stryker', `of Stryker's changes (seeds ${seeds.join(', ')})`),
    line('others', 'that Stryker does not make'),
    `- ${without.length} more did not compile${unjudged.length > 0 ? `; of ${unjudged.length} the tests fail without a change, too` : ''}`,
  ]
  return { name, text: [`## ${name} (${counted.length})\n`, ...made_of, ...summary, ...survivors].join('\n') }
}

/** Whether enough of them were noticed. */
export const isEnough = ({ results }) => {
  const counted = results.filter(isCounted)
  return counted.filter(({ result }) => result === 'noticed').length >= noticed_min * counted.length
}
