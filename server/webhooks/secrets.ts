// Webhook secrets: stored sealed, answered once. After a new one is made, the former one signs for a day as well.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'
import { newSecret } from './signature.ts'

const both_sign_for = '1 day'

const closed = (
  scope: Scope,
  seal: Seal,
  webhook_id: number,
  column: 'sealed_secret' | 'sealed_former',
  text: string,
) => seal.close(text, placeIn(`webhook_secrets.${column}`, scope, webhook_id))

export async function makeSecret(scope: Scope, seal: Seal, webhook_id: number): Promise<string> {
  const secret = newSecret()
  const sealed_secret = closed(scope, seal, webhook_id, 'sealed_secret', secret)
  await scope.insert('webhook_secrets', { webhook_id, sealed_secret })
  return secret
}

export async function renewSecret(scope: Scope, seal: Seal, webhook_id: number): Promise<string> {
  const [former] = await secretsOf(scope, seal, webhook_id)
  const secret = newSecret()
  await scope.change('webhook_secrets', sql<boolean>`(t.webhook_id = ${webhook_id})`, {
    sealed_secret: closed(scope, seal, webhook_id, 'sealed_secret', secret),
    // A value is sealed for its column.
    sealed_former: former === undefined ? null : closed(scope, seal, webhook_id, 'sealed_former', former),
    former_until: sql`now() + ${both_sign_for}::interval`,
  })
  return secret
}

/** The one that signs, and the former one while it does. */
export async function secretsOf(scope: Scope, seal: Seal, webhook_id: number): Promise<string[]> {
  const [sealed] = await scope.run(sql<{ sealed_secret: Buffer; sealed_former: Buffer | null }>`
    select * from webhook_sealed(${webhook_id})`)
  if (!sealed) return []
  const open = (column: 'sealed_secret' | 'sealed_former', value: Buffer) =>
    seal.open(value, placeIn(`webhook_secrets.${column}`, scope, webhook_id))
  const { sealed_secret, sealed_former } = sealed
  return [open('sealed_secret', sealed_secret), ...(sealed_former ? [open('sealed_former', sealed_former)] : [])]
}
