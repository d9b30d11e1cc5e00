// Shift: what one shift writes for the next, and what was done at the desk lately and by whom.
import { useState } from 'react'
import * as contract from '#contract/shift.ts'
import { call } from '#web/kit/call/call.ts'
import { useLiveQuery } from '#web/kit/call/use-live-query.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { ageOf, timeOf } from '#web/kit/display/dates.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { useTypedState } from '#web/kit/form/typed.ts'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/state.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { say } from '#web/words/desk.ts'
import styles from './today.module.css'

const refresh_ms = 30_000

export function ShiftOfDesk({ property_id }: { property_id: number }) {
  const ask = { params: { property_id } }
  const { data, error, refetch } = useLiveQuery(contract.ofShift, ask, {
    key: ['shift', property_id],
    every_ms: refresh_ms,
  })
  const [open, setOpen] = useState(false)
  const reload = () => refetch()
  const acts = data?.acts.length ?? 0
  return (
    <section className={`${styles.list} ${styles.shift}`} aria-label={say('shift.title')}>
      <header>
        <h2>{say('shift.title')}</h2>
        <Button kind="quiet" icon="history" expanded={open} onClick={() => setOpen(!open)}>
          {say('shift.acts')}
        </Button>
      </header>
      <NewNote property_id={property_id} onWritten={() => void reload()} />
      {error && !data && <LoadFailed error={error} again={() => void reload()} />}
      {!error && !data && <Skeleton height={48} label={say('shift.loading')} />}
      {data && data.notes.length > 0 && (
        <ul>
          {data.notes.map((note) => (
            <Note key={note.id} note={note} onChanged={reload} />
          ))}
        </ul>
      )}
      {open && data && (
        <div className={styles.acts}>
          <p className={styles.none}>
            {say(acts === 0 ? 'shift.nothing-since' : 'shift.since', { time: timeOf(data.since) })}
          </p>
          <ul aria-label={say('shift.acts')}>
            {data.acts.map(({ id, at, by, sentence }) => (
              <li key={id}>
                <p>
                  <b translate="no">{by}</b> {sentence}
                </p>
                <time dateTime={at}>{ageOf(at)}</time>
              </li>
            ))}
          </ul>
          {data.more && <p className={styles.none}>{say('shift.more', { count: acts })}</p>}
        </div>
      )}
    </section>
  )
}

/** What was typed stays until it is stored, and so does the next note, begun while the last one is on its way. */
function NewNote({ property_id, onWritten }: { property_id: number; onWritten: () => void }) {
  const mayWrite = useMayCall(contract.writeNote)
  const [typed, setTyped] = useTypedState(`shift ${property_id}`, '')
  const [busy, setBusy] = useState(false)
  if (!mayWrite) return null
  const write = async () => {
    if (busy || typed.trim() === '') return
    setBusy(true)
    try {
      await call(contract.writeNote, { property_id, text: typed })
      setTyped((now) => (now === typed ? '' : now))
      onWritten()
    } catch (error) {
      notify.failure(error)
    }
    setBusy(false)
  }
  return (
    <form
      className={styles.writing}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void write()
      }}
    >
      <TextField label={say('shift.note')} name="note" value={typed} onChange={setTyped} />
      <Button submit busy={busy} disabled={typed.trim() === ''}>
        {say('add')}
      </Button>
    </form>
  )
}

function Note({ note, onChanged }: { note: contract.ShiftNote; onChanged: () => Promise<unknown> }) {
  const maySettle = useMayCall(contract.settleNote)
  const [busy, setBusy] = useState(false)
  const { id, text, written_by, created_at, done_at, done_by } = note
  const word = say(done_at === null ? 'done' : 'shift.not-done')
  const settle = async (done: boolean) => {
    setBusy(true)
    await call(contract.settleNote, { id, done }).catch(notify.failure)
    await onChanged()
    setBusy(false)
  }
  return (
    <li className={styles.shiftNote} data-done={done_at !== null}>
      <div>
        <p>{text}</p>
        <small>
          {done_at === null
            ? `${written_by}, ${ageOf(created_at)}`
            : say('shift.done-by', { name: done_by ?? say('shift.somebody'), ago: ageOf(done_at) })}
        </small>
      </div>
      {maySettle && (
        <span className={styles.calm}>
          <Button
            busy={busy}
            label={say('shift.settle', { word, text: text.slice(0, 40) })}
            onClick={() => void settle(done_at === null)}
          >
            {word}
          </Button>
        </span>
      )}
    </li>
  )
}
