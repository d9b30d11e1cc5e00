// npm: runs the one that runs this command, or the system's.

import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { run } from './processes.mjs'

/**
 * Runs npm, under another `node` if one is given. Returns its exit code.
 * @param {string[]} args
 * @param {string} [node]
 */
export function npm(args, node) {
  const program = process.env.npm_execpath
  const [command, ...first] = program ? [node ?? process.execPath, program] : ['npm']
  const quiet = ['--no-audit', '--no-fund', '--no-progress', '--no-update-notifier', '--loglevel=error']
  // npm's own first line looks for `node` in the path.
  const env = node ? { PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}`, NODE_NO_WARNINGS: '1' } : {}
  // Its summary would stand within the line of the step; what goes wrong is told by the other channel.
  const stdio = ['ignore', 'ignore', 'inherit']
  return run(command, [...first, ...args, ...quiet, ...cacheOption()], { env, stdio })
}

/** Whether a version is in a range, by npm's own reckoning, which it brings along. Throws where npm cannot be found. */
export function satisfies(version, range) {
  const semver = createRequire(fs.realpathSync(process.env.npm_execpath ?? ''))('semver')
  return semver.satisfies(version, range)
}

/** npm needs a folder for its cache, and a service account may have no home. */
function cacheOption() {
  try {
    fs.accessSync(process.env.HOME || '', fs.constants.W_OK)
    return []
  } catch {
    return ['--cache', path.join(os.tmpdir(), `foyer-npm-cache-${process.getuid?.() ?? 0}`)]
  }
}
