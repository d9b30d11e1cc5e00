// Shares: how much of a node each kind of work may take, and how much of that one customer or address.
//
// No kind can take what another needs: a flood of sign-ins does not affect the searches of users who are signed in. The sums of
// what runs at the same time are the connections that a node opens.
import { keysOf } from '#contract/keys.ts'
import type { NodeRole } from '#server/start/config.ts'
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

/** What a process opens connections for: customers' work, what is asked before a customer is known, guests' pages and gateways. */
export type PoolName = 'main' | 'before' | 'guests'
/** The kinds that take a connection with their turn, of which pool, and the roles that do them. */
const connected = {
  reads: { pool: 'main', roles: ['api'] },
  writes: { pool: 'main', roles: ['api'] },
  radius: { pool: 'main', roles: ['radius', 'guest'] },
  jobs: { pool: 'main', roles: ['jobs'] },
  admission: { pool: 'before', roles: ['api'] },
  sign_in: { pool: 'before', roles: ['api'] },
  guests: { pool: 'guests', roles: ['guest'] },
  gateways: { pool: 'guests', roles: ['radius'] },
  strangers: { pool: 'guests', roles: ['radius'] },
} as const satisfies Partial<Record<Work, { pool: PoolName; roles: readonly NodeRole[] }>>
type Connected = keyof typeof connected
const kinds = keysOf(connected)
/** Beside turns: jobs that are queued outside of any; health checks, and jobs over all customers. */
const beside: Record<PoolName, number> = { main: 1, before: 2, guests: 0 }
/** Of the job queue, which listens on one of its own, and of checks at the start. */
export const connections_of_queue = 5
const overhead = beside.main + beside.before + connections_of_queue

/** How much a process does at once, and the most connections of each of its pools. */
export interface Capacity {
  shares: Record<Work, Share>
  pools: Record<PoolName | 'replica', number>
}

/**
 * Divides what DATABASE_CONNECTIONS allows a process among the kinds of work that it does; null: each has its usual share. No kind does
 * more at once than there are connections for it.
 */
export function capacityOf({
  connections,
  roles,
}: {
  connections: number | null
  roles: readonly NodeRole[]
}): Capacity {
  const does = (kind: Connected) => connected[kind].roles.some((role) => roles.includes(role))
  const usual = sum(kinds.filter(does).map((kind) => shares[kind].running_max))
  const part = connections === null ? 1 : (connections - overhead) / usual
  const scaled = Object.fromEntries(
    kinds.map((kind) => {
      const { running_max, party_running_max, ...share }: Share = shares[kind]
      const running_here =
        connections === null || !does(kind) ? running_max : Math.max(1, Math.floor(running_max * part))
      return [
        kind,
        { ...share, running_max: running_here, party_running_max: partyOf(running_here, party_running_max * part) },
      ]
    }),
  ) as Record<Connected, Share>
  // Without a number, pools are as large for every node: what a role does not do opens none.
  const of = (pool: PoolName) =>
    kinds.filter((kind) => connected[kind].pool === pool && (connections === null || does(kind)))
  const size = (pool: PoolName) => Math.max(1, beside[pool] + sum(of(pool).map((kind) => scaled[kind].running_max)))
  return {
    shares: { ...shares, ...scaled },
    pools: {
      main: size('main'),
      before: size('before'),
      guests: size('guests'),
      replica: scaled.reads.running_max + scaled.jobs.running_max,
    },
  }
}

const partyOf = (running_max: number, wanted: number) => Math.max(1, Math.min(running_max, Math.round(wanted)))
const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)

/** What of DATABASE_CONNECTIONS a process of RADIUS alone takes beside the node's other one. */
export const connectionsOfRadius = (connections: number) => Math.floor(connections / 3)

/** The most that a process opens. */
export function connectionsNeeded(of: { connections: number | null; roles: readonly NodeRole[] }): number {
  if (of.connections !== null) return of.connections
  const does = (kind: Connected) => connected[kind].roles.some((role) => of.roles.includes(role))
  return overhead + sum(kinds.filter(does).map((kind) => shares[kind].running_max))
}

const usual_capacity = capacityOf({ connections: null, roles: ['api', 'guest', 'radius', 'jobs'] })
export const usual_pools = usual_capacity.pools

/** @param wait_max_ms instead of each share's own: tests have to wait long on a busy machine. */
export const openTurns = (
  wait_max_ms?: number,
  watch?: (work: string) => TurnsWatch,
  of: Pick<Capacity, 'shares'> = usual_capacity,
): AllTurns =>
  Object.fromEntries(
    Object.entries(of.shares).map(([work, share]) => [
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
