// Passes: what a gateway is given instead of the guest's own secret. The page of a portal makes one when it has looked at
// what the guest gave; RADIUS takes it once, within 90 seconds, from that gateway and for that device.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'

const life_s = 90
const random = () => randomBytes(16).toString('base64url')

export interface NewPass {
  gateway_id: number
  mac_address: string | null
  auth_method_id: number
  /** Instead of the holder's own. */
  package_id?: number | null
  holder: { kind: 'account' | 'device' | 'guest' | 'voucher'; id: number }
}

/** In a scope that reaches the gateway. Answers what the gateway is to be given as user name and password. */
export async function makePass(scope: Scope, seal: Seal, { holder, ...values }: NewPass) {
  const [username, password] = [`pass-${random()}`, random()]
  await scope.insert('access_passes', {
    ...values,
    [`${holder.kind}_id`]: holder.id,
    username,
    sealed_password: seal.close(password, placeIn('access_passes.sealed_password', scope, username)),
    expires_at: sql`now() + make_interval(secs => ${life_s})`,
  })
  return { username, password }
}
