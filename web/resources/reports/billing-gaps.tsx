// Billing gaps: the nights that cannot be billed yet, and the way to give the figures of those that nobody knows.
import { useState } from 'react'
import { z } from 'zod'
import * as nights from '#contract/occupancy-nights.ts'
import { count, text } from '#contract/shapes.ts'
import { messages } from '#contract/messages.ts'
import { call } from '#web/kit/call/call.ts'
import { askAgain, staleOthers } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { dayOf } from '#web/kit/display/dates.ts'
import { Field } from '#web/kit/form/field.tsx'
import { General } from '#web/kit/form/resource-form.tsx'
import { SwitchField } from '#web/kit/form/switch-field.tsx'
import { useForm } from '#web/kit/form/use-form.ts'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/state.tsx'
import type { Gap } from './billing-words.tsx'
import { periodOf } from './words.ts'
import styles from './billing.module.css'

const day_ms = 86_400_000
const later = (day: string, days: number) => new Date(Date.parse(day) + days * day_ms).toISOString().slice(0, 10)

const shown_max = 6
const nightsIn = (count_of: number) => (count_of === 1 ? '1 night' : `${count_of} nights`)

export function Gaps({ gaps: { unknown, not_over } }: { gaps: { unknown: Gap[]; not_over: Gap[] } }) {
  const [given, setGiven] = useState<Gap>()
  const mayCorrect = useMayCall(nights.correctNight)
  return (
    <>
      {unknown.length > 0 && (
        <Notice>
          <b>Nobody knows what was let in these nights.</b> A run over them is approved once somebody has given their
          figures.
          <ul className={styles.gaps}>
            {unknown.slice(0, shown_max).map((gap) => (
              <li key={`${gap.property.id} ${gap.from}`}>
                <span>
                  {gap.property.name}: {periodOf(gap.from, gap.to)} ({nightsIn(gap.nights)}). {gap.because}
                </span>
                {mayCorrect && (
                  <Button onClick={() => setGiven(gap)}>
                    Give figures
                    <span className="unseen">
                      : {gap.property.name}, {dayOf(gap.from)}
                    </span>
                  </Button>
                )}
              </li>
            ))}
          </ul>
          {unknown.length > shown_max && `And ${unknown.length - shown_max} more.`}
        </Notice>
      )}
      {not_over.length > 0 && (
        <Notice>
          Not over yet, and not in these figures:{' '}
          {not_over
            .slice(0, shown_max)
            .map((gap) => `${gap.property.name}, ${periodOf(gap.from, gap.to)}`)
            .join('; ')}
          {not_over.length > shown_max && `, and ${not_over.length - shown_max} more`}. A run is approved when its
          period is over.
        </Notice>
      )}
      {given && <GiveFigures gap={given} close={() => setGiven(undefined)} />}
    </>
  )
}

const Figures = z.object({ occupied_units: count, note: text(500), take_present_terms: z.boolean() })

function GiveFigures({ gap, close }: { gap: Gap; close: () => void }) {
  const form = useForm(Figures, { note: '', take_present_terms: true }, async (figures) => {
    const { property, from, to } = gap
    for (let night = from; night <= to; night = later(night, nights.nights_at_once)) {
      const last = later(night, nights.nights_at_once - 1)
      await call(nights.correctNight, {
        property_id: property.id,
        night,
        last_night: last < to ? last : to,
        ...figures,
      })
    }
    notify.success(`The figures of ${nightsIn(gap.nights)} are written down`)
    staleOthers()
    void askAgain(['list'])
    close()
  })
  return (
    <Dialog open onClose={close} title={`${gap.property.name}, ${periodOf(gap.from, gap.to)}`}>
      <form {...form.bind} className={styles.form}>
        <General sentences={form.general} />
        <p>Each of these nights gets the same figure. One that was different can be corrected by itself afterwards.</p>
        <Field form={form} name="occupied_units" label="Rooms let each night" first />
        <Field
          form={form}
          name="note"
          label="Where the figure is from"
          placeholder="The hotel’s own books"
          hint="It stays beside the night, with your name."
        />
        <SwitchField
          form={form}
          name="take_present_terms"
          label="Bill by the present terms"
          hint="Units, percentages and rate as the property has them now, where a night has kept others."
        />
        <div className={styles.buttons}>
          <Button onClick={close}>{messages.modal.cancel}</Button>
          <Button kind="primary" submit busy={form.saving}>
            Write down
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
