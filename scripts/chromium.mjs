// A Chromium for the journeys: the system's, one from its package manager, or the one in an npm package.

import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { giveUp, log, root, run } from './processes.mjs'

/** A headless one, which needs half the processor time: it keeps no windows ready that nobody looks at. */
const shell = '/usr/bin/chromium-headless-shell'
const usual_places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** The browser named by `CHROME`, or any that starts; `windows`: one that can show them. `env`: the environment that it needs. */
export async function findChromium(node, { windows = false } = {}) {
  if (process.env.CHROME) {
    if (starts(process.env.CHROME)) return { path: process.env.CHROME, env: {} }
    return giveUp(`CHROME is ${process.env.CHROME}, but that browser does not start.`)
  }
  return (
    (!windows && ofSystem([shell])) ||
    // The gate takes the faster one where it can be had.
    (process.env.CI && (await fromDebian(windows))) ||
    ofSystem(usual_places) ||
    (await fromDebian(windows)) ||
    (await packaged(node)) ||
    giveUp('No Chromium was found. Install one, or name it in CHROME.')
  )
}

function ofSystem(places) {
  const found = places.find((place) => fs.existsSync(place) && starts(place))
  return found && { path: found, env: {} }
}

/** Only as root, so that no password is asked for. */
async function fromDebian(windows) {
  if (process.getuid?.() !== 0 || !fs.existsSync('/usr/bin/apt-get')) return undefined
  log('Installing Chromium with apt-get')
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const quietly = { env, stdio: ['ignore', 'ignore', 'inherit'] }
  await run('apt-get', ['-qq', 'update'], quietly)
  const install = (browser) =>
    run('apt-get', ['-qq', 'install', '-y', '--no-install-recommends', browser, 'fonts-liberation'], quietly)
  // Older systems lack the headless shell.
  if (windows || (await install(path.basename(shell))) !== 0) await install('chromium')
  return ofSystem(windows ? usual_places : [shell, ...usual_places])
}

/** Unpacked once, with the system libraries that it includes. */
async function packaged(node) {
  const folder = path.join(root, 'node_modules', '.cache', 'chromium')
  const browser = path.join(folder, 'chromium')
  const libraries = path.join(folder, 'al2023', 'lib')
  if (!fs.existsSync(path.join(folder, 'complete'))) {
    log('Unpacking the packaged Chromium')
    fs.mkdirSync(folder, { recursive: true })
    // It unpacks into TMPDIR, where it would also reuse any browser that it finds.
    if ((await run(node, ['scripts/unpack-chromium.mjs'], { env: { TMPDIR: folder } })) !== 0) return undefined
    fs.writeFileSync(path.join(folder, 'complete'), '')
  }
  return starts(browser, { LD_LIBRARY_PATH: libraries }) && { path: browser, env: { CHROME_LIBRARIES: libraries } }
}

function starts(browser, env = {}) {
  return spawnSync(browser, ['--version'], { env: { ...process.env, ...env }, timeout: 20_000 }).status === 0
}
