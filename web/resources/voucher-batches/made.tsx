// Made: the codes are there. Print them, take them along, or make another batch.
import { useEffect, useRef, useState } from 'react'
import type { Output } from '#contract/endpoint.ts'
import type * as batches from '#contract/voucher-batches.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { Button } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icons.tsx'
import { Segments } from '#web/ui/segments.tsx'
import { paperNames, useCodes, usualPaper, type Paper } from './codes.ts'
import styles from './voucher-batches.module.css'

export type MadeBatch = Output<typeof batches.create>

export interface MadeProps {
  batch: MadeBatch
  /** The address of all batches. */
  all: string
  onAnother: () => void
}

export function Made({ batch, all, onAnother }: MadeProps) {
  const [paper, setPaper] = useState<Paper>(usualPaper)
  const codes = useCodes(batch.id)
  const print = useRef<HTMLButtonElement>(null)
  // Enter prints: the guest is waiting.
  useEffect(() => print.current?.focus(), [])
  const count = batch.quantity === 1 ? '1 voucher is' : `${batch.quantity.toLocaleString('en-GB')} vouchers are`
  return (
    <div className={styles.made}>
      <span className={styles.tick}>
        <Icon name="check" size={22} />
      </span>
      <h2>{count} ready</h2>
      <p>
        Batch {batch.batch_number} · {batch.package.name} ·{' '}
        {batch.property?.name ?? `all of ${batch.group?.name ?? 'the group'}`}
      </p>
      <div className={styles.print}>
        <Segments
          label="Paper"
          bare
          options={[
            { value: 'a4', label: paperNames.a4 },
            { value: 'roll', label: paperNames.roll },
          ]}
          value={paper}
          onChange={(next) => setPaper(next === 'roll' ? 'roll' : 'a4')}
        />
        <Button ref={print} kind="primary" icon="print" busy={codes.busy} onClick={() => codes.print(paper)}>
          Print now
        </Button>
      </div>
      <div className={styles.others}>
        <Button icon="download" disabled={codes.busy} onClick={() => codes.download('csv')}>
          Download CSV
        </Button>
        <Button icon="file" disabled={codes.busy} onClick={() => codes.download('xlsx')}>
          Download Excel
        </Button>
        <Button icon="add" onClick={onAnother}>
          Another
        </Button>
        <LinkButton kind="quiet" href={all}>
          All vouchers
        </LinkButton>
      </div>
    </div>
  )
}
