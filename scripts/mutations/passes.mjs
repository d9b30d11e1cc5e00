// Passes: which tests come by the places of changes, as they do without any change. Those that fail anyway are left out.

import fs from 'node:fs'
import path from 'node:path'
import { capture, giveUp, log } from '#scripts/processes.mjs'
import { marked } from './marks.mjs'

/**
 * @typedef {{ file: string, from: number, to: number }} Change
 * @typedef {{ passed: Record<string, number[]>, failed: string[], took_s: Record<string, number> }} Passes
 * `passed` has the numbers of changes by file of tests, `failed` the files that fail without a change.
 */

/** What listens for marks in each file of tests. */
const listener = 'scripts/mutations/marks.ts'

/** @param {string} folder a copy of the sources @param {Change[]} changes @param {string[]} tests files @returns {Promise<Passes>} */
export async function passesOfTests(node, folder, changes, tests) {
  // Without a name all tests would run.
  if (tests.length === 0) return { passed: {}, failed: [], took_s: {} }
  log(`Looking by which of ${changes.length} places ${tests.length} files of tests come`)
  const report = path.join(folder, 'marked-tests.json')
  const runner = ['node_modules/vitest/vitest.mjs', 'run', '--root', '.']
  const reporters = ['--reporter=json', `--outputFile=${report}`]
  const { found, output } = await withMarks(folder, changes, (env) =>
    capture(node, [...runner, ...reporters, ...tests], { cwd: folder, env }),
  )
  const { testResults } = readJson(report, output)
  const nameOf = ({ name }) => path.relative(folder, name)
  return {
    passed: found,
    failed: testResults.filter(({ status }) => status === 'failed').map(nameOf),
    took_s: Object.fromEntries(testResults.map((one) => [nameOf(one), (one.endTime - one.startTime) / 1000])),
  }
}

async function withMarks(folder, changes, work) {
  const notes = path.join(folder, 'marks')
  fs.rmSync(notes, { recursive: true, force: true })
  fs.mkdirSync(notes)
  const sources = new Map()
  for (const [id, one] of changes.entries()) sources.set(one.file, [...(sources.get(one.file) ?? []), { ...one, id }])
  const before = new Map()
  const change = async (file, textOf) => {
    const place = path.join(folder, file)
    const source = fs.readFileSync(place, 'utf8')
    before.set(place, source)
    fs.writeFileSync(place, await textOf(source))
  }
  let output
  try {
    for (const [file, of] of sources) await change(file, (source) => marked(file, source, of))
    await change('vitest.config.ts', (source) =>
      source.replace('const shared = {', `const shared = { setupFiles: ['${listener}'],`),
    )
    ;({ output } = await work({ MARKS: notes }))
  } finally {
    for (const [place, source] of before) fs.writeFileSync(place, source)
  }
  const found = {}
  for (const name of fs.readdirSync(notes)) {
    const { file, ids } = readJson(path.join(notes, name))
    found[file] = [...new Set([...(found[file] ?? []), ...ids])]
  }
  return { found, output }
}

function readJson(file, output = '') {
  if (!fs.existsSync(file)) giveUp(`The tests of a copy with marks did not run:\n${output}`)
  return JSON.parse(fs.readFileSync(file, 'utf8'))
}
