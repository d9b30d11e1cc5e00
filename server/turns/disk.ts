// Disk: whether there is room for more data. Below a reserve nothing is accepted that adds data, so that what has begun can be
// finished, and so that the embedded database, which stops for good when it cannot write its log, never finds the disk full.
import { statfsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import path from 'node:path'
import { Refused } from '#server/errors/refused.ts'
import { textOf } from '#server/errors/thrown.ts'

export interface Disk {
  /** Throws `Refused` (507) while less than the reserve is free. */
  refuseWhenFull(): void
  /** The same for guests, who have half of the reserve: what they store is small, and nobody knows who sends it. */
  refuseGuestsWhenFull(): void
  /** Jobs that write a lot wait for this. */
  hasRoom(): boolean
  /** Free bytes of the fullest folder that is watched. */
  free_bytes(): Promise<number>
  close(): void
}

interface Options {
  /** Where data is stored; if one does not exist yet, the folder above it is measured. */
  folders: string[]
  /** 0: not watched. */
  reserve_bytes: number
  log: (line: string) => void
}

const megabyte = 1_000_000
/** No disk is filled faster. */
const fill_max_bytes_per_ms = megabyte
const look_min_ms = 20
const look_max_ms = 1000

/**
 * Measures at once and then at intervals, which are the shorter the less is left above the reserve: requests use the last
 * measurement, and what is written between two of them has to fit into the reserve.
 */
export function watchDisk({ folders, reserve_bytes, log }: Options): Disk {
  let full = false
  let full_for_guests = false
  let next_look_ms = look_max_ms

  function note(free: number[]) {
    const free_bytes = Math.min(...free)
    full_for_guests = free_bytes < reserve_bytes / 2
    // Below the guests' limit everything is already refused, so there is no hurry.
    const above_bytes = free_bytes - (free_bytes < reserve_bytes ? reserve_bytes / 2 : reserve_bytes)
    next_look_ms = full_for_guests
      ? look_max_ms
      : Math.min(look_max_ms, Math.max(look_min_ms, above_bytes / fill_max_bytes_per_ms))
    if (free_bytes < reserve_bytes === full) return
    full = !full
    const megabytes = `${Math.floor(free_bytes / megabyte)} MB are free, and ${reserve_bytes / megabyte} MB are kept free`
    log(
      full
        ? `The disk is nearly full: ${megabytes}. Nothing is added until there is room again.`
        : `There is room on the disk again: ${megabytes}.`,
    )
  }

  const existing = folders.map(nearestOf)
  const measured = () => Promise.all(existing.map(async (folder) => freeIn(await statfs(folder))))
  const free_bytes = async () => Math.min(...(await measured()))
  if (reserve_bytes === 0)
    return {
      refuseWhenFull: () => {},
      refuseGuestsWhenFull: () => {},
      hasRoom: () => true,
      free_bytes,
      close: () => {},
    }
  note(existing.map((folder) => freeIn(statfsSync(folder))))
  let clock: NodeJS.Timeout | undefined
  let closed = false
  const look = async () => {
    try {
      note(await measured())
    } catch (error) {
      // If the disk really fails, the writes themselves will show it.
      next_look_ms = look_max_ms
      log(`The free space of the disk cannot be read: ${textOf(error)}`)
    }
    if (!closed) lookAgain()
  }
  const lookAgain = () => {
    clock = setTimeout(() => void look(), next_look_ms).unref()
  }
  lookAgain()
  return {
    refuseWhenFull() {
      if (full) throw new Refused('full')
    },
    refuseGuestsWhenFull() {
      if (full_for_guests) throw new Refused('full')
    },
    hasRoom: () => !full,
    free_bytes,
    close() {
      closed = true
      clearTimeout(clock)
    },
  }
}

/** The space that a user without administrator rights may still use. */
const freeIn = ({ bavail, bsize }: { bavail: number; bsize: number }) => bavail * bsize

function nearestOf(folder: string): string {
  try {
    statfsSync(folder)
    return folder
  } catch {
    const above = path.dirname(folder)
    if (above === folder) throw new Error(`${folder} cannot be read`)
    return nearestOf(above)
  }
}
