// Voucher batch: its fields, how many codes are left, and the codes, each with its state.
import type { Output } from '#contract/endpoint.ts'
import * as packages from '#contract/packages.ts'
import * as batches from '#contract/voucher-batches.ts'
import { call } from '#web/kit/call/call.ts'
import { FieldFacts } from '#web/kit/detail/field-facts.tsx'
import { timeOf } from '#web/kit/display/dates.ts'
import { StatusBadge } from '#web/kit/display/status-badge.tsx'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { InTab } from '#web/kit/list/in-tab.ts'
import { changeItems } from '#web/kit/list/record-kind.ts'
import { SendByMail } from '#web/kit/made/send-by-mail.tsx'
import { go } from '#web/kit/navigation/go.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { CodesOf } from '#web/resources/vouchers/list.tsx'
import { mayCall, useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import type { MenuItem } from '#web/ui/menu.tsx'
import { MoreMenu } from '#web/ui/more-menu.tsx'
import { PageHeader, Panel } from '#web/ui/page.tsx'
import { useCodes, usualPaper } from './codes.ts'
import { contract, OfferedBy } from './offered.tsx'
import { batchKind, leftWords, standOf, titleOf } from './kind.ts'
import { RemainingMeter } from './remaining-meter.tsx'
import styles from './voucher-batches.module.css'

type Batch = Output<typeof batches.get>

export function VoucherBatchDetail({ id }: { id: number }) {
  const batch = useRecord(contract, id)
  const mayHandOut = useMayCall(batches.exportCodes)
  const back = to.vouchersOf({
    ...(batch?.property_id ? { property_id: batch.property_id } : {}),
    ...(batch?.group_id && !batch.property_id ? { group_id: batch.group_id } : {}),
  })
  return (
    <>
      <PageHeader
        above={<Link href={back}>Vouchers</Link>}
        title={batch && titleOf(batch)}
        mark={batch && <StatusBadge of={batch.status} />}
        actions={batch && <Actions batch={batch} back={back} />}
      />
      {batch && <Overview batch={batch} mayHandOut={mayHandOut} />}
      <h2 className={styles.codes}>Codes</h2>
      <InTab value>
        <CodesOf batch={id} />
      </InTab>
    </>
  )
}

function Actions({ batch, back }: { batch: Batch; back: string }) {
  const codes = useCodes(batch.id)
  const items = () => [
    ...(batchKind.own?.(batch) ?? []),
    ...changeItems(batchKind, batch).map((item) => (item.danger ? leaving(item, back) : item)),
  ]
  return (
    <>
      {mayCall(batches.exportCodes) && (
        <Button kind="primary" icon="print" busy={codes.busy} onClick={() => codes.print(usualPaper())}>
          Print
        </Button>
      )}
      <MoreMenu framed label={`More for batch ${titleOf(batch)}`} items={items} />
    </>
  )
}

/** Leaves the page after the batch was deleted. */
const leaving = (item: MenuItem, back: string): MenuItem => ({
  ...item,
  onPick: async () => {
    if ((await item.onPick()) === true) go(back, { replace: true })
  },
})

function Overview({ batch, mayHandOut }: { batch: Batch; mayHandOut: boolean }) {
  return (
    <Panel>
      <div className={styles.stand}>
        <strong>{leftWords(batch)}</strong>
        <span>{standOf(batch)}</span>
        <RemainingMeter batch={batch} />
      </div>
      {mayCall(packages.get) && <OfferedBy batch={batch} />}
      <div className={styles.facts}>
        <FieldFacts
          inColumns
          filledOnly
          fields={batches.fields}
          of={batch}
          sections={['purpose', 'vouchers', 'limits', 'validity']}
          own={{
            quantity: null,
            property_id: [batch.property?.name ?? `All of ${batch.group?.name ?? 'the group'}`, undefined, 'Good in'],
            group_id: null,
            // The sentence above includes them, together with the package's limits.
            volume_gb: null,
            speed_mbps: null,
            devices: null,
            valid_from: [timeOf(batch.valid_from)],
            expires_at: [timeOf(batch.expires_at)],
            password: [batch.password ?? (batch.has_password ? 'Set' : null)],
          }}
          last={[['created_at', [timeOf(batch.created_at)]]]}
        />
      </div>
      {mayHandOut && batch.left > 0 && batch.left <= batches.mailed_max && (
        <div className={styles.mail}>
          <SendByMail send={(email) => call(batches.sendCodes, { id: batch.id, email })} />
        </div>
      )}
    </Panel>
  )
}
