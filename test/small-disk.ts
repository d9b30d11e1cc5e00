// Small disk: a file system of a few megabytes, for tests of a full disk. Mounting it needs root.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { hasCode } from '#server/errors/thrown.ts'

export interface SmallDisk {
  /** The mount point. */
  folder: string
  free_mb(): number
  remove(): void
}

const megabyte = 1024 * 1024

/** An ext4 in a file, else a tmpfs; null, with the reason on the console, if neither can be mounted. */
export function mountSmallDisk(size_mb: number): SmallDisk | null {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-small-disk-'))
  const folder = path.join(scratch, 'disk')
  fs.mkdirSync(folder)
  const problems: string[] = []
  const run = (command: string, ...args: string[]) => {
    const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
    if (status !== 0) problems.push(`${command}: ${(error?.message ?? stderr).trim()}`)
    return status === 0
  }
  const image = path.join(scratch, 'image')
  fs.closeSync(fs.openSync(image, 'w'))
  fs.truncateSync(image, size_mb * megabyte)
  const mounted =
    // Without blocks reserved for root, since the tests may run as root.
    (run('mkfs.ext4', '-q', '-m', '0', image) && run('mount', '-o', 'loop', image, folder)) ||
    run('mount', '-t', 'tmpfs', '-o', `size=${size_mb}m`, 'foyer-test', folder)
  const clear = () => fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
  if (!mounted) {
    clear()
    console.warn(`No small disk could be mounted, so nothing is tried on one (${problems.join('; ')})`)
    return null
  }
  return {
    folder,
    free_mb() {
      const { bavail, bsize } = fs.statfsSync(folder)
      return (bavail * bsize) / megabyte
    },
    remove() {
      // A process that has just ended may keep it busy for a moment.
      for (let tries = 0; tries < 50 && !run('umount', folder); tries++) spawnSync('sleep', ['0.2'])
      clear()
    },
  }
}

/** Writes a file until the disk is full to the last byte. */
export function fillUp(file: string) {
  const handle = fs.openSync(file, 'w')
  try {
    for (let size = 4 * megabyte; size >= 512; size /= 2)
      try {
        for (;;) if (fs.writeSync(handle, Buffer.alloc(size)) < size) break
      } catch (error) {
        if (!hasCode(error, 'ENOSPC')) throw error
      }
  } finally {
    fs.closeSync(handle)
  }
}
