// Processes: running other programs from the commands, and messages to the user.

import { execFile, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

/** @param {string} line */
export function log(line) {
  console.log(`› ${line}`)
}

/**
 * Does a step of a start, and says in one line what it is and, once it is done, how long it took.
 * @param {string} what
 * @param {() => Promise<unknown>} work
 */
export async function step(what, work) {
  const began_at = performance.now()
  process.stdout.write(`› ${what} …`)
  try {
    await work()
  } catch (error) {
    process.stdout.write('\n')
    throw error
  }
  process.stdout.write(` ${((performance.now() - began_at) / 1000).toFixed(1)} s\n`)
}

/** Ends the command with a message for the user. */
export function giveUp(sentence) {
  console.error(sentence)
  process.exit(1)
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** Exit codes from here on mean that a signal ended the program. */
const killed = 128

/** Runs a program to its end and returns its exit code. A signal to this process ends both. */
export async function run(command, args, { env = {}, ...options } = {}) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env }, ...options })
  let interrupted = false
  const pass = (signal) => {
    interrupted = true
    child.kill(signal)
  }
  for (const signal of signals) process.on(signal, pass)
  const code = await ended(child)
  for (const signal of signals) process.off(signal, pass)
  if (interrupted) process.exit(1)
  return code
}

/** Runs a program to its end, possibly together with others. Returns its exit code and its whole output. */
export function capture(command, args, { cwd = root, env = {}, timeout = 0 } = {}) {
  const all = { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }), ...env }
  return new Promise((resolve) => {
    execFile(command, args, { cwd, env: all, timeout, maxBuffer: Infinity }, (error, stdout, stderr) =>
      // A program that was ended by a signal has no exit code.
      resolve({ code: error ? Number(error.code) || 1 : 0, output: `${stdout}${stderr}` }),
    )
  })
}

/**
 * The processor time in seconds of this command and all programs that it has run to their end, including their children. Node reports
 * only its own process; null on systems other than Linux, which do not account for the others.
 */
export function processorSeconds() {
  const account = '/proc/self/stat'
  if (!fs.existsSync(account)) return null
  // The fields follow the name in brackets, which may contain spaces; times are in hundredths of a second.
  const fields = fs.readFileSync(account, 'utf8').split(') ').at(-1).split(' ')
  const [own_user, own_system, user, system] = fields.slice(11, 15).map(Number)
  return (own_user + own_system + user + system) / 100
}

/**
 * Runs as long as the programs do. Signals are passed on to all of them, and when one ends, the others are asked to end. When this
 * process ends in any way, the channels to them close, which makes them stop.
 */
export async function stayWith(programs) {
  const children = programs.map(({ command, args, env }) =>
    spawn(command, args, {
      cwd: root,
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, ...env },
    }),
  )
  let stopping = false
  const stop = (signal) => {
    stopping = true
    for (const child of children) child.kill(signal)
  }
  for (const signal of signals) process.on(signal, stop)
  stopWithNpm(() => stop('SIGTERM'))
  const codes = children.map(ended)
  const first = await Promise.race(codes)
  const asked = stopping
  if (!asked) stop('SIGTERM')
  await Promise.all(codes)
  return asked && first >= killed ? 0 : first
}

/** A killed npm leaves this process running with nothing to stop it, so it stops by itself. */
function stopWithNpm(stop) {
  if (!process.env.npm_lifecycle_event) return
  const npm = process.ppid
  setInterval(() => process.ppid !== npm && stop(), 1000).unref()
}

function ended(child) {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(error.message)
      resolve(1)
    })
    child.once('exit', (code) => resolve(code ?? killed))
  })
}
