// Secrets: the seal and the fingerprints of a node. The database says which key seals, the same for all nodes, so that none
// of them seals with a key that another does not have, and whether codes of vouchers and texts of messages stand there as they are, too.
import { sql } from 'kysely'
import type { Doors } from '#server/access/doors.ts'
import { areAtWork } from '#server/access/former-nodes.ts'
import {
  fingerprintUnder,
  formerFingerprintKey,
  keyIdOf,
  newFingerprintKey,
  openSeal,
  type Fingerprint,
  type Seal,
} from '#server/secrets/seal.ts'
import { fingerprintPlace } from '#server/secrets/sealed-columns.ts'
import { openSealedMessages, type MessagesOfCustomer } from '#server/secrets/sealed-messages.ts'
import { openVoucherCodes, type CodesOfCustomer } from '#server/secrets/voucher-codes.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import type { SecretKeys } from '#server/start/secret-key.ts'

/** A node of a release before finds vouchers by the code as it is printed, and sends the text of a message as it finds it. */
const sealed_since = '1.0.0'

/** How soon a node notices that another key seals now; `npm run rotate-key` waits for longer. */
export const key_refresh_ms = 5000

export interface Secrets {
  seal: Seal
  fingerprint: Fingerprint
  codes: CodesOfCustomer
  messages: MessagesOfCustomer
  close(): void
}

interface Installation {
  key_ids: Buffer[]
  sealed_fingerprint_key: Buffer
}

export async function openSecrets(secretKeys: SecretKeys, doors: Pick<Doors, 'callFunction'>): Promise<Secrets> {
  const given = openSeal(secretKeys)
  const closed = (key: Buffer) => given.close(key.toString('base64'), fingerprintPlace)
  const [newest] = secretKeys()
  const [kept] = await doors.callFunction(sql<Installation>`
    select * from door_installation(${keyIdOf(newest)}, ${closed(newFingerprintKey())}, ${closed(formerFingerprintKey(newest))})`)
  if (!kept) throw new Error('the database keeps nothing of the installation')
  refuseMissingKeys(secretKeys, kept.key_ids)

  const formerNodes = () => areAtWork(doors, sealed_since)
  let [sealing] = kept.key_ids
  let arePlain = await formerNodes()
  const refresh = setInterval(() => {
    // Both stay while the database cannot be reached.
    formerNodes().then(
      (now) => (arePlain = now),
      () => {},
    )
    doors
      .callFunction(sql<{ key_ids: Buffer[] }>`select door_key_ids() as key_ids`)
      .then(([row]) => (sealing = row?.key_ids[0] ?? sealing))
      .catch(() => {})
  }, key_refresh_ms).unref()
  const seal = openSeal(secretKeys, () => sealing ?? null)
  const fingerprint = fingerprintUnder(Buffer.from(given.open(kept.sealed_fingerprint_key, fingerprintPlace), 'base64'))
  return {
    seal,
    fingerprint,
    codes: openVoucherCodes(seal, fingerprint, () => arePlain),
    messages: openSealedMessages(seal, () => arePlain),
    close: () => clearInterval(refresh),
  }
}

function refuseMissingKeys(secretKeys: SecretKeys, needed: Buffer[]) {
  const held = secretKeys().map(keyIdOf)
  if (needed.every((id) => held.some((one) => one.equals(id)))) return
  throw new CannotStart(
    needed.length > 1
      ? 'The secret key is being changed: every node needs both keys in SECRET_KEY, the new one and the former.'
      : 'SECRET_KEY is not the key that this database was sealed with. All nodes need the same. Where it was changed, put ' +
          'the former one behind the new one, with a comma between them, and run `npm run rotate-key`.',
  )
}
