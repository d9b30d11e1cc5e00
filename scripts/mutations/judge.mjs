// Judge: makes one change after another in a copy of the sources, asks whether it compiles and whether tests notice it, and takes it back.

import fs from 'node:fs'
import path from 'node:path'
import { findChromium } from '#scripts/chromium.mjs'
import { capture } from '#scripts/processes.mjs'
import { openTests } from './nearest-tests.mjs'
import { passesOfTests } from './passes.mjs'

/** As many of the nearest are looked at for whether they come by a place, */
const looked_at_max = 10
/** and as many of those that do are run. */
const files_max = { tests: 6, journeys: 3 }
/** What takes longer runs when the others have noticed nothing. */
const quick_s = 30
/** A change by which the tests hang is noticed. */
const hangs_ms = 600_000

/** What judges one of the changes. @param {string[]} sources the names of all files */
export async function openJudge(node, folder, sources, changes) {
  const nearest = openTests(folder, sources)
  const candidatesOf = ({ file }) => nearest.testsOf(file).slice(0, looked_at_max)
  const tests = await passesOfTests(node, folder, changes, [...new Set(changes.flatMap(candidatesOf))])
  const { path: CHROME, env } = await findChromium(node)
  if (changes.some(isOfWeb)) await buildProgram(node, folder)

  /** Those that come by a change, the nearest first, then those that come by few places; where none does, all that are near. */
  function testsOf(change) {
    const id = changes.indexOf(change)
    const near = candidatesOf(change)
    const rank = (test) => (near.includes(test) ? near.indexOf(test) : near.length + tests.passed[test].length)
    const by = Object.keys(tests.passed).filter((test) => tests.passed[test].includes(id))
    return (by.length > 0 ? by.toSorted((one, other) => rank(one) - rank(other)) : near)
      .filter((test) => !tests.failed.includes(test))
      .slice(0, files_max.tests)
  }
  const isQuick = (test) => (tests.took_s[test] ?? 0) <= quick_s
  const fails = async (args, more) =>
    (await capture(node, args, { cwd: folder, timeout: hangs_ms, ...more })).code !== 0
  const failTests = (files) =>
    fails(['node_modules/vitest/vitest.mjs', 'run', '--bail=1', '--reporter=dot', ...files], {})
  async function failJourneys(files) {
    if ((await bundle(node, folder)).code !== 0) return true
    const runner = ['node_modules/@playwright/test/cli.js', 'test', '--max-failures=1', '--retries=1', '--reporter=dot']
    return fails([...runner, ...files], { env: { ...env, CHROME } })
  }
  return async (change) => {
    const near = testsOf(change)
    const far = isOfWeb(change) ? nearest.journeysOf(change.file).slice(0, files_max.journeys) : []
    const place = path.join(folder, change.file)
    const before = fs.readFileSync(place, 'utf8')
    fs.writeFileSync(place, before.slice(0, change.from) + change.text + before.slice(change.to))
    try {
      if (!(await compiles(node, folder, change.file))) return { result: 'no code' }
      if (near.length + far.length === 0) return { result: 'no test' }
      for (const files of [near.filter(isQuick), near.filter((test) => !isQuick(test))])
        if (files.length > 0 && (await failTests(files))) return { result: 'noticed', tests: files }
      if (far.length > 0 && (await failJourneys(far))) return { result: 'noticed', tests: far }
      return { result: 'not noticed', tests: [...near, ...far] }
    } finally {
      fs.writeFileSync(place, before)
    }
  }
}

const isOfWeb = ({ file }) => file.startsWith('web/')

/** The program that journeys run on. */
const buildProgram = (node, folder) => capture(node, ['scripts/run.mjs', 'build'], { cwd: folder })

/** Puts a changed web app in place of the one that it serves. */
const bundle = (node, folder) =>
  capture(node, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'], {
    cwd: folder,
    env: { NODE_ENV: 'production' },
  })

async function compiles(node, folder, file) {
  const project = file.split('/')[0]
  const known = path.join(folder, `.types-${project}`)
  const args = ['--project', project, '--noEmit', '--incremental', '--tsBuildInfoFile', known]
  const { code } = await capture(node, ['node_modules/typescript/bin/tsc', ...args], { cwd: folder })
  return code === 0
}
