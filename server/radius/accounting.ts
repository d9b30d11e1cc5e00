// Accounting: what gateways report, answered only once it is stored. While one transaction of a gateway is under way, what
// it reports meanwhile gathers for the next: under load a transaction keeps many records, and at rest nobody waits.
import { callerOfGateway } from '#server/access/principal.ts'
import { recordIn, type AccountingRecord } from '#server/radius/accounting-record.ts'
import { attribute, code } from '#server/radius/dictionary.ts'
import type { Gateway, Gateways } from '#server/radius/gateways.ts'
import { keepRecords } from '#server/radius/keep-records.ts'
import { askToEndUsedUp } from '#server/radius/used-up.ts'
import { answerTo, isSignedAccounting, valueOf, type Packet } from '#server/radius/packet.ts'
import type { Services } from '#server/services.ts'

/** Records in one transaction. */
const batch_max = 200
/** What may wait of one gateway; more is dropped, and comes again. */
const waiting_max = 2000

interface Waiting {
  record: AccountingRecord
  stored: () => void
  failed: (error: unknown) => void
}
interface Line {
  gateway: Gateway
  waiting: Waiting[]
}

export function openAccounting({ tenancy, queue }: Pick<Services, 'tenancy' | 'queue'>) {
  const lines = new Map<number, Line>()

  /** What arrives until its turn comes goes along. */
  const store = (line: Line, batch: Waiting[]) =>
    tenancy.enter(callerOfGateway(line.gateway), 'write', async (scope) => {
      const { gateway } = line
      batch.push(...line.waiting.splice(0, batch_max))
      const changes = await keepRecords(
        scope,
        gateway,
        batch.map(({ record }) => record),
      )
      await askToEndUsedUp(scope, queue, changes)
    })

  async function workOff(line: Line) {
    while (line.waiting.length > 0) {
      const batch: Waiting[] = []
      await store(line, batch).then(
        () => batch.forEach(({ stored }) => stored()),
        // Where no turn came there is no batch: nobody waits any longer.
        (error: unknown) => (batch.length > 0 ? batch : line.waiting.splice(0)).forEach(({ failed }) => failed(error)),
      )
    }
    lines.delete(line.gateway.id)
  }

  return {
    /** Resolves when the record is committed; throws when it is not. */
    keep(gateway: Gateway, record: AccountingRecord): Promise<void> {
      const line = lines.get(gateway.id) ?? { gateway, waiting: [] }
      if (line.waiting.length >= waiting_max) throw new Error(`too much of gateway ${gateway.id} waits to be stored`)
      const kept = new Promise<void>((stored, failed) => line.waiting.push({ record, stored, failed }))
      line.gateway = gateway
      if (!lines.has(gateway.id)) {
        lines.set(gateway.id, line)
        // What else arrives in this very moment goes with it.
        setImmediate(() => void workOff(line))
      }
      return kept
    },
  }
}
export type Accounting = ReturnType<typeof openAccounting>

/** Null: no answer. Its answer carries no Message-Authenticator: gateways take none there. */
export async function answerAccounting(
  accounting: Accounting,
  gateways: Gateways,
  packet: Packet,
  address: string,
): Promise<Buffer | null> {
  if (packet.code !== code.accounting_request) return null
  const received_at = Date.now()
  const gateway = await gateways.senderOf(packet, address, (secret) =>
    isSignedAccounting(packet, secret) ? 'right' : 'wrong',
  )
  if (!gateway || !valueOf(packet, attribute.acct_status_type)) return null
  const record = recordIn(packet, received_at, gateway.counts_from_gateway_side)
  // A kind of report that we keep nothing of is answered, or it would come again for ever.
  if (record) await accounting.keep(gateway, record)
  return answerTo(packet, { code: code.accounting_response, attributes: [], isSigned: false }, gateway.secret)
}
