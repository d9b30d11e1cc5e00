// Webhook secrets: stored sealed, answered once. After a new one is made, the former one signs for a day as well.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { clash } from '#server/errors/refused.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'
import { newSigningSecret } from './signature.ts'

const both_sign_for = '1 day'

type Column = 'sealed_secret' | 'sealed_former' | 'sealed_older'

/** A value is sealed for its column. */
const closed = (scope: Scope, seal: Seal, webhook_id: number, column: Column, text: string) =>
  seal.close(text, placeIn(`webhook_secrets.${column}`, scope, webhook_id))

export async function makeSecret(scope: Scope, seal: Seal, webhook_id: number): Promise<string> {
  const secret = newSigningSecret()
  const sealed_secret = closed(scope, seal, webhook_id, 'sealed_secret', secret)
  await scope.insert('webhook_secrets', { webhook_id, sealed_secret })
  return secret
}

/** Under a lock of the webhook. Whichever secret its receiver knows signs for a day: a second press within it cuts off neither. */
export async function renewSecret(scope: Scope, seal: Seal, webhook_id: number): Promise<string> {
  const [present, former, older] = await signingSecrets(scope, seal, webhook_id)
  if (older !== undefined) {
    const [until] = await scope.run(sql<{ at: string }>`
      select to_char((s.older_until + interval '1 minute') at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as at
      from webhook_secrets s where s.webhook_id = ${webhook_id} and ${scope.inReach('webhook_secrets', 's')}`)
    throw clash(`Two former secrets still sign. Another one can be made from ${until?.at} UTC on.`)
  }
  const secret = newSigningSecret()
  const sealed = (column: Column, text: string | undefined) =>
    text === undefined ? null : closed(scope, seal, webhook_id, column, text)
  await scope.change('webhook_secrets', sql<boolean>`(t.webhook_id = ${webhook_id})`, {
    sealed_secret: closed(scope, seal, webhook_id, 'sealed_secret', secret),
    sealed_former: sealed('sealed_former', present),
    former_until: sql`now() + ${both_sign_for}::interval`,
    sealed_older: sealed('sealed_older', former),
    older_until: former === undefined ? null : sql`t.former_until`,
  })
  return secret
}

/** The present one, and the former ones that still sign, the latest first. */
export async function signingSecrets(scope: Scope, seal: Seal, webhook_id: number): Promise<string[]> {
  const signing = await scope.run(sql<{ place: Column; sealed: Buffer }>`
    select * from webhook_signing(${webhook_id})`)
  return signing.map(({ place, sealed }) => seal.open(sealed, placeIn(`webhook_secrets.${place}`, scope, webhook_id)))
}
