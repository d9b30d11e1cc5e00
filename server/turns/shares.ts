// Shares: how much of a node each kind of work may take, and how much of that one customer or address.
//
// No kind can take what another needs: a flood of sign-ins does not affect the searches of users who are signed in. The sums of
// what runs at the same time are the connections that a node opens.
import { Turns, type Share, type TurnsWatch } from './turns.ts'

const second_ms = 1000

const shares = {
  /** Authentication, and the calls about one's own session. Parties are addresses, or customers once they are known. */
  admission: running(4, 3).waiting({ party: 300, member: 150, wait_max_ms: 10 * second_ms }),
  /** Calls without authentication: signing in and up, resetting a password. Parties are addresses. */
  sign_in: { ...running(4, 2).waiting({ party: 20, member: 20, wait_max_ms: 15 * second_ms }), of_guesses: true },
  /**
   * Attempts to sign in that are delayed and do nothing meanwhile, so they hold no turn of the kind above. Parties are addresses,
   * members accounts. A flood waits in the queue of its own address, and beyond that it is refused.
   */
  slowed: { ...running(100, 4).waiting({ party: 12, member: 6, wait_max_ms: 20 * second_ms }), of_guesses: true },
  /**
   * Transactions that read, and those that write, of users and API keys. Reads wait less: a screen that reports the problem after
   * 5 s is worth more than one that appears after 15.
   */
  reads: running(6, 4).waiting({ party: 200, member: 100, wait_max_ms: 5 * second_ms }),
  writes: running(5, 3).waiting({ party: 200, member: 100, wait_max_ms: 15 * second_ms }),
  /**
   * Guests' pages, from the request to the rendered page: a crowd that comes at once, often from the one address of its hotel,
   * waits here without affecting others. Parties are addresses.
   */
  guests: running(4, 3).waiting({ party: 3000, member: 3000, wait_max_ms: 20 * second_ms }),
  /** Transactions of gateways, which repeat their requests after a few seconds. Members are gateways. */
  radius: running(5, 3).waiting({ party: 1000, member: 500, wait_max_ms: 5 * second_ms }),
  /** Look-ups for gateways that are proven at the source address of their packet. Parties are gateways. */
  gateways: running(3, 1).waiting({ party: 100, member: 100, wait_max_ms: 3 * second_ms }),
  /** Look-ups of all other senders, many at a time, and recording that they were heard from. */
  strangers: running(2, 1).waiting({ party: 20, member: 20, wait_max_ms: 3 * second_ms }),
  /** Transactions of background jobs, which can wait. */
  jobs: running(3, 2).waiting({ party: Infinity, member: Infinity, wait_max_ms: 600 * second_ms }),
  /** Files that are being received: a slow sender takes up only a place of its own customer. */
  uploads: running(32, 4).waiting({ party: 8, member: 8, wait_max_ms: 15 * second_ms }),
  /** Files that are read and stored. */
  files: running(4, 2).waiting({ party: 16, member: 10, wait_max_ms: 60 * second_ms }),
  /**
   * Files that are sent, from the first row to the last byte: made as fast as their reader takes them, so that many slow
   * readers cost little. The wait is longer than the time allowed to a stalled reader (server/watch/stalled-readers.ts).
   */
  downloads: running(16, 2).waiting({ party: 16, member: 10, wait_max_ms: 75 * second_ms }),
} satisfies Record<string, Share>

export type Work = keyof typeof shares
export type AllTurns = Record<Work, Turns>

/** Connections for work before a customer is known, and two for health checks and for jobs over all customers. */
export const connections_before_max = shares.admission.running_max + shares.sign_in.running_max + 2
/** Connections for guests' pages and gateways before a customer is known. */
export const connections_guests_max =
  shares.guests.running_max + shares.gateways.running_max + shares.strangers.running_max
/** Connections for transactions, and one for jobs that are queued outside of any. */
export const connections_max =
  shares.reads.running_max + shares.writes.running_max + shares.radius.running_max + shares.jobs.running_max + 1

/** Connections to a replica: for reads of users and jobs. */
export const connections_replica_max = shares.reads.running_max + shares.jobs.running_max

/** @param wait_max_ms instead of each share's own: tests have to wait long on a busy machine. */
export const openTurns = (wait_max_ms?: number, watch?: (work: string) => TurnsWatch): AllTurns =>
  Object.fromEntries(
    Object.entries(shares).map(([work, share]) => [
      work,
      new Turns({ ...share, ...(wait_max_ms && { wait_max_ms }) }, watch?.(work)),
    ]),
  ) as AllTurns

function running(running_max: number, party_running_max: number) {
  return {
    waiting: ({ party, member, wait_max_ms }: { party: number; member: number; wait_max_ms: number }): Share => ({
      running_max,
      party_running_max,
      party_waiting_max: party,
      member_waiting_max: member,
      wait_max_ms,
    }),
  }
}
