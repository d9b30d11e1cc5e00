// Backup command: arguments, progress and errors of the commands backup and restore.
import fs from 'node:fs'
import path from 'node:path'
import { CannotStart } from '#server/start/cannot-start.ts'

/** Resolves a path against the folder in which the command was typed, which npm passes on. */
export const placeOf = (file: string) => path.resolve(process.env['INIT_CWD'] ?? process.cwd(), file)

const step = 0.1

/** At a terminal a single line that counts up; elsewhere a line for each tenth. */
export function progressPrinter(what: string) {
  let printed = 0
  return (part: number) => {
    if (part < printed + (process.stdout.isTTY ? step / 10 : step) && part < 1) return
    if (printed >= 1) return
    printed = part
    const line = `${what}: ${Math.round(part * 100)} %`
    if (process.stdout.isTTY) process.stdout.write(`\r${line}${part >= 1 ? '\n' : ''}`)
    else console.log(line)
  }
}

const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
export function sizeOf(bytes: number): string {
  const power = bytes === 0 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const amount = bytes / 1000 ** power
  return `${power === 0 ? amount : amount.toFixed(1)} ${units[power]}`
}

/** Runs a command; errors that the operator can fix are printed as a sentence, others with their stack. */
export async function command(work: () => Promise<void>) {
  try {
    await work()
  } catch (error) {
    console.error(error instanceof CannotStart ? error.message : error)
    process.exitCode = 1
  }
  process.exit()
}

export const secondsSince = (begun: number) => `${((performance.now() - begun) / 1000).toFixed(1)} s`
export const sizeOfFile = (file: string) => sizeOf(fs.statSync(file).size)
