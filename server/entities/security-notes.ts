// Security notes: lines in a customer's activity log about events that change no record: a denied call, a key used from a
// new network, a password reset. They are limited within this process, so that nobody can fill the log or the disk.
import { day_ms } from '#contract/days.ts'
import type { Caller } from '#server/access/principal.ts'
import { callerOfJob, principalKey } from '#server/access/principal.ts'
import type { Tenancy } from '#server/access/tenancy.ts'
import { logSecurity, type SecurityAction } from '#server/entities/activity-log.ts'
import type { Log } from '#server/watch/log.ts'

const hour_ms = 60 * 60_000
const of_one_max = 5
const of_customer_max = 100
const counted_max = 50_000

export interface SecurityNotes {
  denied(caller: Caller, route: string): void
  keyUsed(caller: Caller, network: string): void
  resetRequested(customer_id: number, ip: string, name: string): void
  reset(caller: Caller): void
}

/** The lines are written after the answer; if one cannot be written, that is only logged. */
export function openSecurityNotes(tenancy: Tenancy, log: Log): SecurityNotes {
  const isWithin = limitsWithin(hour_ms)
  const isWithinDay = limitsWithin(day_ms)
  const note = (caller: Caller, action: SecurityAction, name: string | null) => {
    const { customer_id } = caller
    const own = isWithin(
      `${customer_id} ${principalKey(caller)} ${action} ${caller.principal.id === 0 ? name : ''}`,
      of_one_max,
    )
    if (!own || !isWithin(`${customer_id}`, of_customer_max)) return
    tenancy
      .enter(caller, 'write', (scope) => logSecurity(scope, action, name))
      .catch((err: unknown) => log.warn({ err, customer: customer_id }, 'a security note was not written'))
  }
  return {
    denied: (caller, route) => note(caller, 'denied', route),
    keyUsed(caller, network) {
      if (isWithinDay(`${caller.principal.id} ${network}`, 1)) note(caller, 'key_use', caller.principal.name)
    },
    resetRequested: (customer_id, ip, name) =>
      note({ ...callerOfJob(customer_id, 'sign-in'), ip }, 'reset_asked', name),
    reset: (caller) => note(caller, 'reset', caller.principal.name),
  }
}

/** Whether an event is among the first of its kind in so long; another such time begins when it is over. */
function limitsWithin(window_ms: number) {
  let counts = new Map<string, number>()
  let since = Date.now()
  return (event: string, times_max: number): boolean => {
    if (Date.now() - since > window_ms || counts.size > counted_max) {
      counts = new Map()
      since = Date.now()
    }
    const times = (counts.get(event) ?? 0) + 1
    counts.set(event, times)
    return times <= times_max
  }
}
