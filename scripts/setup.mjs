// Setup: installs missing packages, and builds what has changed.

import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { compress } from './compress.mjs'
import { npm, satisfies } from './npm.mjs'
import { fetchNode, findNode, isMissing, isNewEnough } from './packaged-node.mjs'
import { giveUp, root, run, step } from './processes.mjs'

const system = `${process.platform}-${process.arch}`

const inRoot = (...names) => path.join(root, ...names)
const readJson = (file) => JSON.parse(fs.readFileSync(file, 'utf8'))

/** npm's own record of what it has installed. */
const installed_record = ['node_modules', '.package-lock.json']

/**
 * Installs the packages of the lock file, unless exactly those are installed, and Node where this one is too old: for a start those
 * packages that running and building need, and for the other commands the rest as well, which are twice as many. What is there already
 * stays: a Foyer may run on it.
 * @param {{ all: boolean }} which
 */
export async function install({ all }) {
  if (isInstalled(all)) {
    if (isMissing()) await step('Fetching Node', async () => giveUpOver(await fetchNode()))
    return
  }
  const what = isInstalled(false) ? 'Installing the packages for tests and tools' : 'Installing packages'
  await step(what, async () => {
    // Beside the packages: npm keeps one processor busy, and a third of all bytes are Node's.
    const fetching = isMissing() ? fetchNode() : Promise.resolve(null)
    let under
    // npm silently leaves out optional packages that need a newer Node than it runs under, such as the bundler's and those of pictures.
    if (!isGoodForOptionalPackages()) {
      giveUpOver(await fetching)
      under = findNode()
    }
    const [code, problem] = await Promise.all([installPackages(all, under), fetching])
    if (code !== 0) giveUp('The packages could not be installed; what npm says above tells why.')
    giveUpOver(problem)
  })
}

const giveUpOver = (problem) => problem === null || giveUp(problem)

function installPackages(all, node) {
  const some = fs.existsSync(inRoot(...installed_record))
  return npm(
    [
      // Adds what is missing, such as a package that is new in this release, and writes no lock file.
      ...(some ? ['install', '--no-save'] : ['ci']),
      all ? '--include=dev' : '--omit=dev',
      '--include=optional',
      // The launcher of the embedded database does what the only install script would do.
      '--ignore-scripts',
    ],
    node,
  )
}

/** Whether npm leaves out none of the optional packages of this system. */
function isGoodForOptionalPackages() {
  if (isNewEnough()) return true
  try {
    return Object.values(readJson(inRoot('package-lock.json')).packages)
      .filter(
        ({ optional, os: systems, cpu }) => optional && isIn(systems, process.platform) && isIn(cpu, process.arch),
      )
      .every(({ engines }) => satisfies(process.versions.node, engines?.node ?? '*'))
  } catch {
    return false
  }
}
const isIn = (list, one) => !list || list.includes(one)

/**
 * Compares npm's own record of what it has installed with the lock file.
 * @param {boolean} all with those that only tests and tools need; more than are asked for do no harm
 */
function isInstalled(all) {
  const record = inRoot(...installed_record)
  if (!fs.existsSync(record)) return false
  const installed = readJson(record).packages
  const wanted = readJson(inRoot('package-lock.json')).packages
  const ours = readJson(inRoot('package.json')).optionalDependencies
  return Object.entries(wanted).every(([place, { version, optional, dev, devOptional }]) => {
    if (place === '' || (dev && !all)) return true
    const ofThisSystem = place.endsWith(system) && place.replace('node_modules/', '') in ours
    const mayBeMissing = (optional || (devOptional && !all)) && !ofThisSystem
    return installed[place] ? installed[place].version === version : mayBeMissing
  })
}

/** Compiles the server and bundles the web app, if anything has changed since the last build. */
export async function build(node) {
  const stamp = inRoot('dist', '.stamp')
  const content = hashOf([
    'contract',
    'catalogue',
    'portal',
    'scripts/contract-facts.ts',
    'server',
    'web',
    'package.json',
    'package-lock.json',
    'tsconfig.base.json',
    'tsconfig.build.json',
    'vite.config.ts',
  ])
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === content) return
  fs.rmSync(inRoot('dist'), { recursive: true, force: true })
  // Regardless of NODE_ENV: otherwise Vite would put React's slow development build into the web app.
  const env = { NODE_ENV: 'production' }
  // Side by side: neither keeps two processors busy.
  await step('Building the server and the web app', async () => {
    const [compiled, bundled] = await Promise.all([
      run(node, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { env }),
      run(node, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'], { env }),
    ])
    if (compiled !== 0) giveUp('The server could not be compiled.')
    if (bundled !== 0) giveUp('The web app could not be built.')
    await compress(inRoot('dist/web'))
  })
  const sql = ['server/db/migrations', 'server/db/schema/functions', 'server/db/backfills']
  for (const folder of [...sql, 'server/files/portal-zips/runtime', 'server/files/portal-zips/sample'])
    fs.cpSync(inRoot(folder), inRoot('dist', folder), { recursive: true })
  fs.writeFileSync(stamp, content)
}

function hashOf(names) {
  const hash = createHash('sha256')
  const files = names.flatMap((name) => filesBelow(name))
  for (const file of files) hash.update(`${file}\0`).update(fs.readFileSync(inRoot(file)))
  return hash.digest('hex')
}

function filesBelow(name) {
  const found = fs.statSync(inRoot(name), { throwIfNoEntry: false })
  if (!found) return []
  return found.isFile() ? [name] : fs.readdirSync(inRoot(name)).flatMap((inside) => filesBelow(path.join(name, inside)))
}
