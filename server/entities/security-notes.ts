// Security notes: lines in a customer's activity log about events that change no record: a denied call, a key used from a
// new network, a password reset. They are limited within this process, so that nobody can fill the log or the disk.
import type { Caller } from '#server/access/principal.ts'
import { callerOfJob, keyOf } from '#server/access/principal.ts'
import type { Tenancy } from '#server/access/tenancy.ts'
import { logSecurity, type SecurityAction } from '#server/entities/activity-log.ts'
import type { Log } from '#server/watch/log.ts'

const window_ms = 60 * 60_000
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
  const isWithin = hourlyLimits()
  const isNewToday = seenToday()
  const note = (caller: Caller, action: SecurityAction, name: string | null) => {
    const { customer_id } = caller
    const own = isWithin(
      `${customer_id} ${keyOf(caller)} ${action} ${caller.principal.id === 0 ? name : ''}`,
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
      if (isNewToday(`${caller.principal.id} ${network}`)) note(caller, 'key_use', caller.principal.name)
    },
    resetRequested: (customer_id, ip, name) =>
      note({ ...callerOfJob(customer_id, 'sign-in'), ip }, 'reset_asked', name),
    reset: (caller) => note(caller, 'reset', caller.principal.name),
  }
}

/** Whether an event is among the first of its kind in this hour. */
function hourlyLimits() {
  let counts = new Map<string, number>()
  let since = Date.now()
  return (what: string, times_max: number): boolean => {
    if (Date.now() - since > window_ms || counts.size > counted_max) {
      counts = new Map()
      since = Date.now()
    }
    const times = (counts.get(what) ?? 0) + 1
    counts.set(what, times)
    return times <= times_max
  }
}

/** Whether something is seen for the first time on this day. */
function seenToday() {
  let day = ''
  const seen = new Set<string>()
  return (what: string): boolean => {
    const today = new Date().toISOString().slice(0, 10)
    if (today !== day || seen.size > counted_max) {
      seen.clear()
      day = today
    }
    if (seen.has(what)) return false
    seen.add(what)
    return true
  }
}
