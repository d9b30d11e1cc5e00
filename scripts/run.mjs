// The commands of the project, in plain JavaScript for any Node from 18, as nothing is installed when the first one runs.

import os from 'node:os'
import path from 'node:path'
import { benchBeside, besideIn } from './bench-beside.mjs'
import { check } from './check.mjs'
import { findChromium } from './chromium.mjs'
import { mutations } from './mutations.mjs'
import { oddHours } from './odd-hours.mjs'
import { findNode } from './packaged-node.mjs'
import { giveUp, log, run, stayWith } from './processes.mjs'
import { proofs } from './proofs.mjs'
import { build, install } from './setup.mjs'
import { test } from './test.mjs'

/** Lets Node run sources with JSX. */
const sources = ['--import', './scripts/tsx.mjs']

/** Foyer itself, compiled. */
const product = (node, env = {}) => ({
  command: node,
  args: ['--conditions=compiled', '--enable-source-maps', 'dist/server/main.js'],
  env: { ...env, NODE_ENV: 'production' },
})

const commands = {
  /** Foyer as operators run it. */
  async start(node) {
    await build(node)
    log('Starting Foyer')
    return stayWith([product(node)])
  },

  /** Everything that a start does first, for a program folder that is read-only later. */
  async build(node) {
    await build(node)
    return run(node, ['scripts/link-postgres.ts'])
  },

  /** Runs the sources, reloaded when they change, with Vite in front of the API at one address. */
  async dev(node) {
    const port = Number(process.env.PORT ?? 3000)
    const api = { PORT: String(port + 1), PUBLIC_URL: process.env.PUBLIC_URL ?? `http://localhost:${port}` }
    const watched = ['server', 'contract', 'catalogue', 'portal'].map((folder) => `--watch-path=${folder}`)
    return stayWith([
      { command: node, args: [...sources, ...watched, '--watch-preserve-output', 'server/main.ts'], env: api },
      {
        command: node,
        args: ['node_modules/vite/bin/vite.js', '--port', String(port), '--strictPort'],
        env: { API_URL: `http://127.0.0.1:${api.PORT}` },
      },
    ])
  },

  test,
  check,
  proofs,
  mutations,
  /** A real openNDS in network namespaces: as root, on Linux. */
  'proof:opennds': (node) => run(node, [...sources, 'scripts/proof-opennds.ts']),
  /** Builds and runs the image with podman: as root, on Linux. */
  'proof:container': (node) => run(node, [...sources, 'scripts/proof-container.ts']),
  'odd-hours': oddHours,
  /** A believable operator, and simulated guests until it is stopped; with `--fill` only the operator. */
  async demo(node, args) {
    const filled = await run(node, [...sources, 'scripts/demo.ts'])
    if (filled !== 0 || args.includes('--fill')) return filled
    await build(node)
    const ports = {
      RADIUS_AUTH_PORT: process.env.RADIUS_AUTH_PORT || '1812',
      RADIUS_ACCT_PORT: process.env.RADIUS_ACCT_PORT || '1813',
      // Of the simulated front office.
      ALLOWED_HOSTS: [process.env.ALLOWED_HOSTS, '127.0.0.1'].filter(Boolean).join(','),
    }
    return stayWith([product(node, ports), { command: node, args: [...sources, 'scripts/simulate.ts'], env: ports }])
  },
  /** Pictures of every screen of a demo, for people to look at: in DATA_DIR, or else in the temporary folder. */
  async screens(node, args) {
    const env = { DATA_DIR: process.env.DATA_DIR || path.join(os.tmpdir(), 'foyer-screens'), DATABASE_URL: '' }
    const filled = await run(node, [...sources, 'scripts/demo.ts'], { env })
    if (filled !== 0) return filled
    await build(node)
    const chromium = await findChromium(node)
    const found = { CHROME: chromium.path, ...chromium.env }
    return run(node, [...sources, 'scripts/screens.ts', ...args], { env: { ...env, ...found } })
  },
  /** For operators, also while Foyer runs: everything of an installation into one file, and back. */
  backup: (node, args) => run(node, ['scripts/backup.ts', ...args]),
  restore: (node, args) => run(node, ['scripts/restore.ts', ...args]),
  /** Brings the database up to date without starting; with `--plan` it says what that will do. */
  upgrade: (node, args) => run(node, [...sources, 'server/upgrade.ts', ...args]),
  'rotate-key': (node) => run(node, ['server/rotate-key.ts']),
  'reset-second-factor': (node, args) => run(node, ['server/reset-second-factor.ts', ...args]),
  /** After a new migration. */
  tables: (node) => run(node, ['scripts/tables.ts']),
  async bench(node, args) {
    await build(node)
    const chromium = await findChromium(node)
    const { commit, others } = besideIn(args)
    const present = () =>
      run(node, [...sources, 'bench/run.ts', ...others], { env: { CHROME: chromium.path, ...chromium.env } })
    return commit === null ? present() : benchBeside(commit, others, present)
  },
  floors: (node) => run(node, ['scripts/check-floors.ts']),
  format: (node) => run(node, ['node_modules/prettier/bin/prettier.cjs', '--write', '--log-level=warn', '.']),
}

const [name = '', ...args] = process.argv.slice(2)
if (!Object.hasOwn(commands, name))
  giveUp(`There is no command "${name}". There are ${Object.keys(commands).join(', ')}.`)
/** They need what Foyer runs on and is built with; tests, checks and demos bring the rest. */
const lean = ['start', 'build', 'backup', 'restore', 'upgrade', 'rotate-key', 'reset-second-factor']
await install({ all: !lean.includes(name) })
const node = findNode()
// Programs that start Node by name (`#!/usr/bin/env node`) must find this one, too.
process.env.PATH = `${path.dirname(node)}${path.delimiter}${process.env.PATH}`
process.exitCode = await commands[name](node, args)
