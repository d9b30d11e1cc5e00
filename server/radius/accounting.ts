// Accounting: gateways' reports, answered only once they are stored.
import { callerOfGateway } from '#server/access/principal.ts'
import { recordIn } from '#server/radius/accounting-record.ts'
import { attribute, code } from '#server/radius-codec/dictionary.ts'
import type { Gateways } from '#server/radius/gateways.ts'
import type { Gateway } from '#server/radius/registered-gateways.ts'
import { Batcher } from '#server/radius/batcher.ts'
import { answerTo, isSignedAccounting, valueOf, type Packet } from '#server/radius-codec/packet.ts'
import { answerStatus } from '#server/radius/status-server.ts'
import type { Services } from '#server/services.ts'
import { storeReports } from '#server/sessions/keep-records.ts'
import type { AccountingRecord } from '#server/sessions/record.ts'
import { askToEndUsedUp } from '#server/sessions/used-up.ts'

export function openAccounting({ tenancy, queue }: Pick<Services, 'tenancy' | 'queue'>) {
  const batcher = new Batcher<AccountingRecord, void>(
    (first, take) =>
      tenancy.enter(callerOfGateway(first), 'write', async (scope) => {
        const reported = take().map(({ gateway, item }) => ({ gateway_id: gateway.id, record: item }))
        await askToEndUsedUp(scope, queue, await storeReports(scope, first, reported))
        return reported.map(() => undefined)
      }),
    // Reports of a gateway wait for its row: another transaction would only hold a connection.
    { running_max: 1 },
  )
  return {
    /** The record as the packet says it. Resolves when it is committed; throws when it is not. */
    keep: (gateway: Gateway, record: AccountingRecord): Promise<void> =>
      batcher.ask(gateway, record.kind === 'restart' ? record : gateway.dialect.report(record, gateway)),
  }
}
export type Accounting = ReturnType<typeof openAccounting>

/** Null: no answer. The answer has no Message-Authenticator: gateways accept none there. */
export async function answerAccounting(
  accounting: Accounting,
  gateways: Gateways,
  packet: Packet,
  address: string,
): Promise<Buffer | null> {
  if (packet.code === code.status_server) return answerStatus(gateways, packet, address, code.accounting_response)
  if (packet.code !== code.accounting_request) return null
  const received_at = Date.now()
  const gateway = await gateways.senderOf(packet, address, (secret) =>
    isSignedAccounting(packet, secret) ? 'right' : 'wrong',
  )
  if (!gateway || !valueOf(packet, attribute.acct_status_type)) return null
  const record = recordIn(packet, { received_at, address, dialect: gateway.dialect })
  // Reports of which nothing is stored are answered, too, or they would be repeated for ever.
  if (record) await accounting.keep(gateway, record)
  return answerTo(packet, { code: code.accounting_response, attributes: [], isSigned: false }, gateway.secret)
}
