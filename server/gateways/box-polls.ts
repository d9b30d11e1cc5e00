// Box polls: boxes that fetch from the portal whom they are to let in, and report who has left: what a kind reads of that, and answers.
import type { Settings } from '#contract/parameters.ts'
/** Of a guest who waits to be fetched. Null: no limit. */
export interface Fetched {
  /** What the box knows the guest by. */
  token: string
  seconds: number
  bytes: number | null
  /** Down, and as much up. */
  speed_mbps: number | null
}

export type Polled =
  /** It has started: whom it had is gone. */
  | { says: 'started' }
  | { says: 'asks' }
  /** It has let them in. */
  | { says: 'took'; tokens: string[] }
  /** A guest has left. */
  | { says: 'ended'; guest: string; bytes_up: number; bytes_down: number; cause: string }
  | { says: 'nothing' }

export interface Poll {
  /** The name by which it asks. */
  asks_as: string
  polled: Polled
}

export interface BoxPolls {
  /** Whether what is registered makes it a box that does so. */
  isUsed(settings: Settings): boolean
  /** The most that it is granted of a guest's time at once, being let in again by a redirect that proves whose device it is. Null: all. */
  lastsMax_s(settings: Settings): number | null
  /** The most that are told at once. */
  at_once: number
  /** Null: it is no poll. @param sent the fields of the form, or of the address, undecoded */
  read(sent: Readonly<Record<string, string | undefined>>): Poll | null
  /** Only what cannot be anything else than data: the box may run it. */
  answerTo(polled: Polled, waiting: readonly Fetched[]): string
}
