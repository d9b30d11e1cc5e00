// Grant: what a holder may use from now on, as a sign-in would grant it.
import type { Scope } from '#server/access/tenancy.ts'
import { allowanceOf, secondsUntil, shortest } from '#server/admission/allowance.ts'
import type { Allowed } from '#server/admission/attempts.ts'
import { factsOf, type Holder, type HolderFacts } from '#server/admission/holders.ts'
import { allowanceOfVoucher } from '#server/admission/voucher-allowance.ts'
import { voucherById } from '#server/vouchers/find.ts'

/** Null: no limit. */
export interface Grant {
  package_id: number | null
  seconds: number
  idle_seconds: number | null
  bytes: number | null
  speed_mbps: number | null
}

export function grantIn({ package_id, seconds, bytes, idle_timeout_hrs, speed_mbps }: Allowed): Grant {
  const idle_seconds = idle_timeout_hrs > 0 ? Math.round(idle_timeout_hrs * 3600) : null
  return { package_id, seconds, bytes, idle_seconds, speed_mbps: speed_mbps > 0 ? speed_mbps : null }
}

export function allowedBy(facts: HolderFacts): Allowed {
  const { seconds, bytes } = allowanceOf(facts)
  return { ...facts, bytes, seconds: shortest(seconds, secondsUntil(facts.ends_at, facts.now)) }
}

interface Sought {
  holder: Holder
  property_id: number
  /** Of a session whose package is not to be changed; else the holder's own. */
  package_id?: number | null
}

/** Null: the holder no longer exists. */
export async function grantOf(scope: Scope, { holder, property_id, package_id }: Sought): Promise<Grant | null> {
  const { kind, id } = holder
  if (kind === 'voucher') {
    const voucher = await voucherById(scope, id, property_id)
    return voucher ? grantIn(allowanceOfVoucher(voucher)) : null
  }
  const facts = await factsOf(scope, property_id, { holder: { kind, id }, mac_address: null, package_id })
  return facts ? grantIn(allowedBy(facts)) : null
}
