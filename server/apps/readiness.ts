// Readiness: whether this node can do the work of its roles, for those who send requests to it: a load balancer, an orchestrator.
import type { Radius } from '#server/apps/radius.ts'
import type { Services } from '#server/services.ts'
import type { NodeRole } from '#server/start/config.ts'

/**
 * `degraded`: it works, but somebody should look: nothing is added while the disk is nearly full, and without the replica the
 * database itself is read.
 */
type State = 'ok' | 'degraded' | 'failed'

export interface Readiness {
  ready: boolean
  checks: Record<string, State>
}

interface Check {
  name: string
  /** Absent: of every role. */
  role?: NodeRole
  look: () => Promise<State> | State
}

/** How long an answer is given again: anybody may ask, as often as they like. */
const kept_ms = 2000

/** @returns asks for one role, or for all of this node's; a role that it does not have is not ready. */
export async function watchReadiness(
  { tenancy, guestDoors, queue, disk }: Pick<Services, 'tenancy' | 'guestDoors' | 'queue' | 'disk'>,
  { roles, radius }: { roles: readonly NodeRole[]; radius: Pick<Radius, 'answers'> | null },
): Promise<(role?: NodeRole) => Promise<Readiness>> {
  const functions = async () => [...(await tenancy.functions()), ...(await guestDoors.functions())]
  /** What this program calls: an upgrade by a newer node must leave it. */
  const needed = await functions()
  const checks: Check[] = [
    { name: 'database', look: () => tenancy.ping().then(() => 'ok') },
    { name: 'functions', look: async () => okIf(isWithin(needed, await functions())) },
    { name: 'radius', role: 'radius', look: () => okIf(radius?.answers() ?? false) },
    { name: 'jobs', role: 'jobs', look: () => okIf(queue.works()) },
    { name: 'disk', look: () => (disk.hasRoom() ? 'ok' : 'degraded') },
    { name: 'replica', look: () => (tenancy.readsReplica() === false ? 'degraded' : 'ok') },
  ]
  const look = async (): Promise<Record<string, State>> =>
    Object.fromEntries(
      await Promise.all(
        checks
          .filter(({ role }) => role === undefined || roles.includes(role))
          .map(async (check) => [check.name, await stateOf(check)] as const),
      ),
    )

  let looked: { at: number; found: Promise<Record<string, State>> } | null = null
  return async (role) => {
    if (looked === null || Date.now() - looked.at > kept_ms) looked = { at: Date.now(), found: look() }
    const all = await looked.found
    const asked = checks.filter((check) => role === undefined || check.role === undefined || check.role === role)
    const found = Object.fromEntries(asked.flatMap(({ name }) => (all[name] ? [[name, all[name]]] : [])))
    const has = role === undefined || roles.includes(role)
    return { ready: has && Object.values(found).every((state) => state !== 'failed'), checks: found }
  }
}

/** What cannot be looked at has failed. */
async function stateOf({ look }: Check): Promise<State> {
  try {
    return await look()
  } catch {
    return 'failed'
  }
}

function isWithin(needed: string[], present: string[]): boolean {
  const all = new Set(present)
  return needed.every((name) => all.has(name))
}

const okIf = (holds: boolean): State => (holds ? 'ok' : 'failed')
