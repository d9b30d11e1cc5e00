// The packaged Node: a supported one, for systems whose own is too old. It is the program alone of a package of npm's, which brings
// 68 MB of headers beside it, and it is fetched while npm installs the other packages.

import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { npm } from './npm.mjs'
import { capture, giveUp, root } from './processes.mjs'

const node_major_least = 24
const system = `${process.platform}-${process.arch}`

/** The package of each system, with the hash of its archive as lock files write it. */
const version = '24.21.0'
const packages = {
  'linux-arm64': 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  'linux-x64': 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
}

/** A folder for each version: a release that brings another one takes none away from a Foyer that runs. */
const folder = path.join(root, '.node')
const packaged = path.join(folder, version, 'bin', 'node')

/** Whether this Node is one that Foyer runs on. */
export const isNewEnough = () => Number.parseInt(process.versions.node) >= node_major_least

/** This Node if it is new enough, or else the packaged one. */
export function findNode() {
  if (isNewEnough()) return process.execPath
  if (fs.existsSync(packaged)) return packaged
  return giveUp(`Foyer needs Node ${node_major_least} or newer on this system (${system}); this is ${process.version}.`)
}

/** Whether the packaged Node is needed here and not there yet. */
export const isMissing = () => !isNewEnough() && system in packages && !fs.existsSync(packaged)

/**
 * Fetches the packaged Node. What is no whole archive of that version is refused, and nothing is left half done.
 * @returns {Promise<string | null>} why it could not be fetched, for the user
 */
export async function fetchNode() {
  fs.mkdirSync(folder, { recursive: true })
  const fetched = fs.mkdtempSync(path.join(folder, 'fetching-'))
  try {
    const code = await npm(['pack', `node-${system}@${version}`, '--pack-destination', fetched])
    const [archive] = fs.readdirSync(fetched)
    if (code !== 0 || !archive) return 'Node could not be fetched; what npm says above tells why.'
    const file = path.join(fetched, archive)
    const hash = createHash('sha512').update(fs.readFileSync(file)).digest('base64')
    if (`sha512-${hash}` !== packages[system]) return `${archive} is not the one that Foyer was tried with.`
    const unpacked = await capture('tar', ['-xzf', file, '-C', fetched, 'package/bin/node'])
    if (unpacked.code !== 0) return `${archive} could not be unpacked. ${unpacked.output}`
    fs.mkdirSync(path.dirname(packaged), { recursive: true })
    fs.renameSync(path.join(fetched, 'package', 'bin', 'node'), packaged)
    return null
  } finally {
    fs.rmSync(fetched, { recursive: true, force: true })
  }
}
