// Made: shows the new codes, to be printed, copied, mailed or downloaded, or to make another batch.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Output } from '#contract/endpoint.ts'
import * as batches from '#contract/voucher-batches.ts'
import * as vouchers from '#contract/vouchers.ts'
import { call, sentenceOf } from '#web/kit/call/call.ts'
import { timeIn } from '#web/kit/display/dates.ts'
import { wholeOf } from '#web/kit/display/numbers.ts'
import { CopyButton } from '#web/kit/made/copy-button.tsx'
import { JustMade, ValueList, Values } from '#web/kit/made/just-made.tsx'
import { SendByMail } from '#web/kit/made/send-by-mail.tsx'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { useZoneOf } from '#web/limits/zone-of.ts'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { Segments } from '#web/ui/segments.tsx'
import { Notice, Skeleton } from '#web/ui/state.tsx'
import { say } from '#web/words/desk.ts'
import { useCodes, usualPaper, type Paper } from './codes.ts'
import styles from './voucher-batches.module.css'

export type MadeBatch = Output<typeof batches.create>

export interface MadeProps {
  batch: MadeBatch
  onAnother: () => void
  /** The address of the list of batches; not in a dialog, which can be closed. */
  all?: string
}

/** More codes are not useful on a screen. */
const shown_max = 24
/** The number of codes in one page of the API. */
const copied_max = 200

function useMadeCodes({ id, quantity }: MadeBatch) {
  return useQuery({
    queryKey: ['codes', id],
    queryFn: ({ signal }) =>
      call(vouchers.list, { params: { voucher_batch_id: id }, per_page: copied_max }, { signal }),
    enabled: quantity <= copied_max,
  })
}

export function Made({ batch, onAnother, all }: MadeProps) {
  const { quantity } = batch
  const { data, error } = useMadeCodes(batch)
  const codes = data?.data.map(({ code }) => code)
  const place = batch.property?.name ?? say('code.all-of', { group: batch.group?.name ?? say('code.the-group') })
  const facts = [
    batch.name,
    say('code.batch', { number: batch.batch_number }),
    batch.package.name,
    place,
    ...limitsOf(batch, useZoneOf(batch.property?.id)),
  ]
  return (
    <JustMade
      title={say('code.ready', { count: quantity })}
      note={facts.filter(Boolean).join(' · ')}
      actions={<Actions batch={batch} codes={codes} />}
      next={
        <>
          <Button icon="add" onClick={onAnother}>
            {say('code.another')}
          </Button>
          <LinkButton kind="quiet" href={to.voucherBatch(batch.id)}>
            {say('code.open-batch')}
          </LinkButton>
          {all !== undefined && (
            <LinkButton kind="quiet" href={all}>
              {say('code.all-vouchers')}
            </LinkButton>
          )}
        </>
      }
    >
      {error && <Notice tone="error">{say('code.not-shown', { why: sentenceOf(error) })}</Notice>}
      {quantity === 1 && !error && (
        <Values rows={[{ label: say('made.code'), value: codes?.[0] ?? `${vouchers.mask}••••` }]} />
      )}
      {quantity > 1 && quantity <= copied_max && !error && (
        <>
          {codes ? (
            <ValueList label={say('code.codes')} values={codes.slice(0, shown_max)} />
          ) : (
            <Skeleton height={120} />
          )}
          {quantity > shown_max && (
            <p className={styles.none}>{say('code.and-more', { count: wholeOf(quantity - shown_max) })}</p>
          )}
        </>
      )}
    </JustMade>
  )
}

/** The batch's own limits, which the guest should know. */
const limitsOf = ({ devices, expires_at }: MadeBatch, zone: string | undefined) => [
  devices > 0 && say('devices', { count: devices }),
  expires_at !== null && say('day.until', { day: timeIn(expires_at, zone) }),
]

function Actions({ batch, codes }: { batch: MadeBatch; codes: string[] | undefined }) {
  const maySend = useMayCall(batches.sendCodes)
  const [paper, setPaper] = useState<Paper>(usualPaper)
  const { busy, print, download } = useCodes(batch.id)
  const button = useRef<HTMLButtonElement>(null)
  // So that Enter prints, as the guest is waiting.
  useEffect(() => button.current?.focus(), [])
  return (
    <>
      <div className={styles.print}>
        <Segments
          label={say('code.paper')}
          bare
          options={[
            { value: 'a4', label: say('code.a4') },
            { value: 'roll', label: say('code.roll') },
          ]}
          value={paper}
          onChange={(next) => setPaper(next === 'roll' ? 'roll' : 'a4')}
        />
        <Button ref={button} kind="primary" icon="print" first busy={busy} onClick={() => print(paper)}>
          {say('code.print-now')}
        </Button>
      </div>
      {codes && (
        <CopyButton value={codes.join('\n')}>{say(codes.length === 1 ? 'code.copy' : 'code.copy-all')}</CopyButton>
      )}
      {batch.quantity > 1 && (
        <>
          <Button icon="download" disabled={busy} onClick={() => download('csv')}>
            {say('code.download-csv')}
          </Button>
          <Button icon="file" disabled={busy} onClick={() => download('xlsx')}>
            {say('code.download-excel')}
          </Button>
        </>
      )}
      {maySend && batch.quantity <= batches.mailed_max && (
        <SendByMail send={(email) => call(batches.sendCodes, { id: batch.id, email })} />
      )}
    </>
  )
}
