// Due work kind: what can be done about work that waits or was given up: try it at once, or dismiss it with what was found.
import { z } from 'zod'
import * as dueWork from '#contract/due-work.ts'
import type { RowOf } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { text } from '#contract/shapes.ts'
import { call } from '#web/kit/call/call.ts'
import { forgetRecords, invalidateOthers, patchRows } from '#web/kit/call/query-client.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { wholeOf } from '#web/kit/display/numbers.ts'
import { Field } from '#web/kit/form/field.tsx'
import { General } from '#web/kit/form/resource-form.tsx'
import { stricter } from '#web/kit/form/stricter.ts'
import { useForm } from '#web/kit/form/use-form.ts'
import type { BulkAction } from '#web/kit/list/list-types.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { mayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import type { MenuItem } from '#web/ui/menu.tsx'
import styles from './due-work.module.css'

export type DueWork = RowOf<typeof dueWork.list>

const isOver = ({ state }: Pick<DueWork, 'state'>) => state === 'failed' || state === 'unknown'

async function tryAgain(rows: readonly { id: number }[]) {
  const ids = rows.map(({ id }) => id)
  await call(dueWork.retry, { ids })
  patchRows(dueWork.list.path, ids, {
    state: 'waiting',
    tries: 0,
    next_at: new Date().toISOString(),
    waits_for_answer: false,
  })
  invalidateOthers()
  notify.success(ids.length === 1 ? 'It is being tried again' : `${wholeOf(ids.length)} are being tried again`)
}

const Perhaps = z.object({ reason: text().nullish() })
const Found = stricter(Perhaps, { reason: text() })

function DismissalForm({ rows, onAnswer }: { rows: readonly DueWork[]; onAnswer: (done: boolean) => void }) {
  const isUnknown = rows.some(({ state }) => state === 'unknown')
  const ids = rows.map(({ id }) => id)
  const dismissed = async ({ reason }: z.input<typeof Perhaps>) => {
    await call(dueWork.dismiss, { ids, ...(reason ? { reason } : {}) })
    forgetRecords(dueWork.list.path, ids)
    invalidateOthers()
    notify.success(ids.length === 1 ? 'Dismissed' : `${wholeOf(ids.length)} dismissed`)
    onAnswer(true)
  }
  const form = useForm(isUnknown ? Found : Perhaps, { reason: '' }, dismissed, { about: ids.join(' ') })
  return (
    <form {...form.bind} className={styles.form}>
      <p className={styles.said}>
        {isUnknown
          ? 'The answer to the last try was lost, so it may have been done. Look in the other system first, and enter what you found.'
          : 'It will not be tried again.'}
      </p>
      <General sentences={form.general} />
      <Field
        form={form}
        name="reason"
        label={isUnknown ? 'What you found' : 'Reason (optional)'}
        hint="For the activity log."
        first
      />
      <div className={styles.buttons}>
        <Button onClick={() => onAnswer(false)}>{messages.modal.cancel}</Button>
        <Button kind="danger" submit busy={form.saving} disabled={!form.valid}>
          Dismiss
        </Button>
      </div>
    </form>
  )
}

const dismiss = (rows: readonly DueWork[]) =>
  confirm({
    title: rows.length === 1 ? 'Dismiss it?' : `Dismiss ${wholeOf(rows.length)}?`,
    body: (answer) => <DismissalForm rows={rows} onAnswer={answer} />,
  })

function itemsOf(row: DueWork): MenuItem[] {
  return [
    ...(mayCall(dueWork.retry) && row.state !== 'trying'
      ? [
          {
            label: isOver(row) ? 'Try again' : 'Try now',
            icon: 'refresh' as const,
            onPick: () => tryAgain([row]).catch(notify.failure),
          },
        ]
      : []),
    ...(mayCall(dueWork.dismiss) && isOver(row)
      ? [{ label: 'Dismiss', icon: 'check' as const, onPick: () => void dismiss([row]) }]
      : []),
  ]
}

export const dueWorkKind: RecordKind<DueWork> = {
  of: { list: dueWork.list, fields: dueWork.fields },
  noun: 'due work',
  nameOf: (row) => row.about ?? row.kind,
  searchKey: 'about',
  consequence: '',
  live_ms: 10_000,
  own: itemsOf,
}

export const trySeveral: BulkAction = {
  label: 'Try again',
  icon: 'refresh',
  run: async (rows) => {
    await tryAgain(rows)
    return true
  },
}
