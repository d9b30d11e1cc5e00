// Second factors: what a login has, and the codes that it takes, each once.
import { sql } from 'kysely'
import { normalised } from '#contract/vouchers.ts'
import { isOfApp, recoveryHash, secretPlace, timeStepOf } from '#server/access/second-factor.ts'
import type { Tenancy } from '#server/access/tenancy.ts'
import { invalid } from '#server/errors/refused.ts'
import type { Services } from '#server/services.ts'

interface SecondFactor {
  sealed_secret: Buffer
  confirmed_at: Date | null
  recovery_codes_left: number
}
export async function secondFactorOf(tenancy: Tenancy, login_id: number): Promise<SecondFactor | undefined> {
  const [found] = await tenancy.callFunction(sql<SecondFactor>`select * from door_second_factor(${login_id})`)
  return found
}

export const wrongCode = () => invalid({ code: ['This code is wrong, or has already been used.'] })

/** Whether the code is valid, from the app or a recovery code; a valid one is used up. */
export async function takeCode(
  { tenancy, seal, fingerprint }: Pick<Services, 'tenancy' | 'seal' | 'fingerprint'>,
  login_id: number,
  typed: string,
): Promise<boolean> {
  const factor = await secondFactorOf(tenancy, login_id)
  if (!factor?.confirmed_at) return false
  if (isOfApp(typed)) {
    const step = timeStepOf(seal.open(factor.sealed_secret, secretPlace(login_id)), typed.replaceAll(/\s/g, ''))
    if (step === null) return false
    const [taken] = await tenancy.callFunction(
      sql<{ done: boolean }>`select door_take_step(${login_id}, ${step}) as done`,
    )
    return taken?.done ?? false
  }
  const hash = recoveryHash(fingerprint, login_id, normalised(typed))
  const [taken] = await tenancy.callFunction(
    sql<{ done: boolean }>`select door_take_recovery_code(${login_id}, ${hash}) as done`,
  )
  return taken?.done ?? false
}
