// Bench beside a commit: the same bench of a former commit and of the present state in turns, on one machine in one run, as ratios of
// different runs say more about what else the machine did. People compare what both print.

import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { giveUp, log, root, run } from './processes.mjs'

const rounds = 2

/**
 * Splits `radius --beside main~3` into the commit and the other arguments.
 * @param {string[]} args
 */
export function besideIn(args) {
  const at = args.indexOf('--beside')
  if (at < 0) return { commit: null, others: args }
  const commit = args[at + 1]
  if (commit === undefined) giveUp('--beside needs a commit: npm run bench -- radius --beside main~1')
  return { commit, others: args.toSpliced(at, 2) }
}

/**
 * @param {string} commit
 * @param {string[]} args of `npm run bench`
 * @param {() => Promise<number>} present runs the bench of the present state
 * @returns {Promise<number>} the exit code of the present state's last bench: only its limits count
 */
export async function benchBeside(commit, args, present) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-beside-'))
  const tree = path.join(folder, 'tree')
  const git = (...words) => execFileSync('git', words, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  // Also when it is interrupted, which ends this process at once.
  process.on('exit', () => {
    fs.rmSync(folder, { recursive: true, force: true })
    git('worktree', 'prune')
  })
  git('worktree', 'add', '--quiet', '--detach', tree, commit)
  let code = 0
  for (let round = 1; round <= rounds; round++) {
    log(`Round ${round} of ${rounds}: ${commit}`)
    // It installs what it needs, as it may need other versions.
    await run(process.execPath, ['scripts/run.mjs', 'bench', ...args], { cwd: tree })
    log(`Round ${round} of ${rounds}: the present state`)
    code = await present()
  }
  return code
}
