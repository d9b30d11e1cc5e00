// Range: mutation tests of what some commits have changed: a hundred of Stryker's mutants, over three seeds fixed before, and twenty that
// Stryker does not make. Each is made in a copy of the sources; one that does not compile does not count, and the others must be noticed
// by the nearest of the tests that come by there.

import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { giveUp, log, root } from '#scripts/processes.mjs'
import { openScratch } from '#scripts/test.mjs'
import { chosen, othersOf, strykersOf } from './changes.mjs'
import { openJudge } from './judge.mjs'

const seeds = [1, 2, 3]
const counts = { stryker: 100, others: 20 }
const noticed_min = 0.85
/** Of those that are looked at, some do not compile. */
const spare = 1.5
/** What does not compile is none of ours, and what a later commit has taken away is there no more. */
const isCounted = ({ result }) => result !== 'no code' && result !== 'gone'

const git = (...args) => {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e9 })
  if (status !== 0) giveUp(stderr)
  return stdout
}
const isSource = (file) =>
  /^(contract|portal|server|web)\/.*\.tsx?$/.test(file) &&
  !/\.test\.tsx?$|^server\/db\/(tables|backfills)|simulation|\.d\.ts$/.test(file)

/**
 * What became of the changes that were made in `<from>..<to>`. `MUTANTS=30` takes fewer. A run of the same commits that was stopped goes
 * on. `AGAIN=<commit>` goes on with the sources and tests of a later commit, and asks again what was not noticed.
 */
export async function mutationsOf(node, range) {
  const again = process.env.AGAIN
  const [from, to] = [...range.split('..'), 'HEAD'].slice(0, 2).map((name) => shortOf(name || 'HEAD'))
  const folder = path.join(root, 'test-results/mutations', String(process.pid))
  // Journeys empty test-results.
  const notes = path.join(root, '.cache', `mutations-${from}-${to}.jsonl`)
  fs.mkdirSync(path.dirname(notes), { recursive: true })
  const scratch = openScratch()
  process.env.TMPDIR = scratch
  try {
    copyOf(to, folder)
    const all = await changesIn(from, to, folder)
    const count = Number(process.env.MUTANTS ?? counts.stryker)
    const wanted = { stryker: count, others: Math.ceil((count * counts.others) / counts.stryker) }
    log(`${all.stryker.length} of Stryker's changes and ${all.others.length} others can be made in ${from}..${to}`)
    const orders = {
      stryker: byTurns(seeds.map((seed) => shareOf(all.stryker, seed))),
      others: chosen(all.others, all.others.length, seeds[0]),
    }
    const candidates = Object.entries(orders).flatMap(([kind, order]) =>
      order
        .slice(0, Math.ceil(spare * wanted[kind]))
        .map((change) => ({ ...change, kind, key: keyOf({ ...change, kind }), ...placeOf(folder, change) })),
    )
    const known = knownOf(notes, candidates)
    const isSettled = (one) => one !== undefined && (!again || !isCounted(one) || one.result === 'noticed')
    const asked = candidates.filter((change) => !isSettled(known.get(change.key)))
    if (again) {
      fs.rmSync(folder, { recursive: true })
      copyOf(again, folder)
      for (const change of asked) Object.assign(change, movedIn(folder, change))
    }
    const here = asked.filter(({ is_gone }) => !is_gone)
    const judge = await openJudge(node, folder, git('ls-tree', '-r', '--name-only', again ?? to).split('\n'), here)
    const results = []
    for (const change of candidates) {
      if (results.filter((one) => one.kind === change.kind && isCounted(one)).length >= wanted[change.kind]) continue
      const before = known.get(change.key)
      if (!here.includes(change)) results.push(before ?? { ...change, result: 'gone' })
      else {
        const found = { ...change, ...(await judge(change)), ...(again && { on: shortOf(again), was: before?.result }) }
        results.push(found)
        fs.appendFileSync(notes, `${JSON.stringify(found)}\n`)
        log(
          `${results.length}: ${found.result}: ${change.file}:${change.line}, ${change.what} (${found.tests?.join(' ')})`,
        )
      }
    }
    return { from, to, results }
  } finally {
    for (const place of [folder, scratch]) fs.rmSync(place, { recursive: true, force: true, maxRetries: 20 })
  }
}

const shortOf = (commit) => git('rev-parse', '--short', commit).trim()
const keyOf = ({ kind, file, from, to, text }) => [kind, file, from, to, text].join(' ')

/** What a run of the same commits has found that was stopped. */
function knownOf(notes, candidates) {
  const asked = new Set(candidates.map(({ key }) => key))
  const lines = fs.existsSync(notes) ? fs.readFileSync(notes, 'utf8').split('\n').filter(Boolean) : []
  const all = lines.map((line) => JSON.parse(line)).map((one) => [one.key ?? keyOf(one), one])
  return new Map(all.filter(([key]) => asked.has(key)))
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
  // What listens for marks is of this commit.
  const own = 'scripts/mutations'
  fs.cpSync(path.join(root, own), path.join(folder, own), { recursive: true })
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

/** The lines of a change, by which it is found in a later commit, and where it is in them. */
function placeOf(folder, { file, line, from, to }) {
  const source = fs.readFileSync(path.join(folder, file), 'utf8')
  const begin = source.lastIndexOf('\n', from - 1) + 1
  const end = source.indexOf('\n', to)
  return {
    source: source.split('\n')[line - 1]?.trim() ?? '',
    lines: source.slice(begin, end < 0 ? undefined : end),
    offset: from - begin,
  }
}

/** Where the same lines are in a later commit: of several, those that are nearest. */
function movedIn(folder, { file, from, to, lines, offset }) {
  const now = path.join(folder, file)
  const source = fs.existsSync(now) ? fs.readFileSync(now, 'utf8') : ''
  const begins = []
  for (let at = source.indexOf(lines); at >= 0; at = source.indexOf(lines, at + 1)) begins.push(at)
  const [nearest] = begins.toSorted((one, other) => Math.abs(one + offset - from) - Math.abs(other + offset - from))
  return nearest === undefined ? { is_gone: true } : { from: nearest + offset, to: nearest + offset + to - from }
}

const share = (some, all) => (all === 0 ? '' : `: ${((100 * some) / all).toFixed(0)} %`)

/** The part of docs/proofs.md about it. */
export function partOfRange({ from, to, results }, made_of) {
  const counted = results.filter(isCounted)
  const line = (kind, what) => {
    const those = counted.filter((one) => one.kind === kind)
    const noticed = those.filter(({ result }) => result === 'noticed').length
    return `- Of ${those.length} ${what} the nearest tests noticed ${noticed}${share(noticed, those.length)}`
  }
  const without = results.filter(({ result }) => result === 'no code')
  const later = counted.filter(({ on }) => on !== undefined)
  const before = later.filter(({ was }) => was !== undefined)
  const survivors = counted
    .filter(({ result, was }) => result !== 'noticed' || was !== undefined)
    .map(({ file, line: at, source, what, text, result, was }) => {
      const now = text.replaceAll(/\s+/g, ' ').slice(0, 80)
      const how =
        result === 'no test'
          ? 'No test'
          : was && result === 'noticed'
            ? 'Not noticed before a test was added'
            : 'Not noticed'
      return `- ${how}, ${file}:${at}, ${what}: \`${source}\` with \`${now}\``
    })
  const name = `mutations of ${from}..${to}`
  const summary = [
    line('stryker', `of Stryker's changes (seeds ${seeds.join(', ')})`),
    line('others', 'that Stryker does not make'),
    ...(later.length > 0
      ? [
          `- ${later.length} of them were judged on ${later[0].on}, ${before.length} for the second time, with tests that came since`,
        ]
      : []),
    `- ${without.length} more did not compile`,
  ]
  return { name, text: [`## ${name} (${counted.length})\n`, ...made_of, ...summary, ...survivors].join('\n') }
}

/** Whether enough of them were noticed. */
export const isEnough = ({ results }) => {
  const counted = results.filter(isCounted)
  return counted.filter(({ result }) => result === 'noticed').length >= noticed_min * counted.length
}
