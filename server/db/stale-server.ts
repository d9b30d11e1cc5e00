// Stale server: what a killed Foyer may have left on the database's files: a running server, or only its lock file.

import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CannotStart } from '#server/start/cannot-start.ts'

const patience_ms = 60_000

/**
 * Ends a server that still runs on these files, most likely in the middle of its own shutdown. To be called only by the
 * process that has locked the directory: then it can only be a leftover.
 *
 * Returns the process id in the remaining lock file, if there is one. By now that id may belong to any process, and
 * PostgreSQL would refuse to start because of it.
 */
export async function endStaleServer(data: string, log: (line: string) => void): Promise<number | null> {
  const pid = lockedBy(data)
  if (pid !== null && isServerOf(pid, data)) {
    log('Waiting for the database of the previous process to shut down')
    interrupt(pid)
    const deadline = Date.now() + patience_ms
    while (isServerOf(pid, data)) {
      if (Date.now() > deadline)
        throw new CannotStart(`The database of an earlier process (${pid}) still uses ${data} and does not shut down.`)
      await sleep(50)
    }
  }
  return lockedBy(data)
}

function lockedBy(data: string): number | null {
  return Number.parseInt(contentOf(path.join(data, 'postmaster.pid'))) || null
}

function isServerOf(pid: number, data: string): boolean {
  const command = fs.existsSync('/proc/self')
    ? contentOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
    : spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout
  return command.includes(`postgres -D ${data} `)
}

function interrupt(pid: number): void {
  try {
    process.kill(pid, 'SIGINT')
  } catch {
    // It has ended meanwhile.
  }
}

function contentOf(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
