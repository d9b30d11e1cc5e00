// Billing figures: enters the rooms let in nights without figures, corrects the figure of a night, and bills whole lines by the
// present terms.
import { addDays } from '#contract/days.ts'
import { z } from 'zod'
import * as nights from '#contract/occupancy-nights.ts'
import { count, text } from '#contract/shapes.ts'
import { messages } from '#contract/messages.ts'
import { call } from '#web/kit/call/call.ts'
import { invalidateQuery, invalidateOthers } from '#web/kit/call/query-client.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { dayOf } from '#web/kit/display/dates.ts'
import { Field } from '#web/kit/form/field.tsx'
import { General } from '#web/kit/form/resource-form.tsx'
import { SwitchField } from '#web/kit/form/switch-field.tsx'
import { useForm } from '#web/kit/form/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import type { ShownNight } from './billing-words.tsx'
import { periodOf } from './words.ts'
import styles from './billing.module.css'

export const nightsIn = (count_of: number) => (count_of === 1 ? '1 night' : `${count_of} nights`)

/** Consecutive nights. */
export interface NightRange {
  property: { id: number; name: string }
  from: string
  to: string
  nights: number
  /** The present figure of a single night; absent if there is none. */
  written?: number
  /** The night is in an approved bill. */
  billed?: boolean
}

const Figures = z.object({ occupied_units: count, note: text(500), take_present_terms: z.boolean() })
type Figures = z.output<typeof Figures>

async function writeDown({ property, from, to }: Pick<NightRange, 'property' | 'from' | 'to'>, figures: Figures) {
  for (let night = from; night <= to; night = addDays(night, nights.nights_at_once)) {
    const last = addDays(night, nights.nights_at_once - 1)
    await call(nights.correctNight, { property_id: property.id, night, last_night: last < to ? last : to, ...figures })
  }
}

/** Reloads the bills on screen, which are recalculated. */
function showFigures() {
  invalidateOthers()
  void invalidateQuery(['list'])
}

export function GiveFigures({ asked, close }: { asked: NightRange; close: () => void }) {
  const { property, from, to, written, billed = false } = asked
  const isCorrection = written !== undefined
  const initial = isCorrection ? { occupied_units: written } : {}
  const record = async (figures: Figures) => {
    await writeDown(asked, figures)
    notify.success(
      isCorrection
        ? `The night of ${dayOf(from)} has been corrected`
        : `The figures for ${nightsIn(asked.nights)} have been recorded`,
    )
    showFigures()
    close()
  }
  const start = { ...initial, note: '', take_present_terms: !isCorrection }
  const form = useForm(Figures, start, record, { about: `${property.id} ${from} ${to}` })
  return (
    <Dialog open onClose={close} title={`${property.name}, ${periodOf(from, to)}`}>
      <form {...form.bind} className={styles.form}>
        <General sentences={form.general} />
        <p>{billed ? onNextBill : isCorrection ? inItsPlace : sameFigure}</p>
        <Field
          form={form}
          name="occupied_units"
          label={isCorrection ? 'Rooms let in this night' : 'Rooms let each night'}
          first
        />
        <Field
          form={form}
          name="note"
          label="Where the figure comes from"
          placeholder="The hotel’s own books"
          hint="It is kept with the night, along with your name."
        />
        <SwitchField
          form={form}
          name="take_present_terms"
          label="Bill by the present terms"
          hint="Units, percentages and rate as the property has them now, instead of those recorded with the night."
        />
        <div className={styles.buttons}>
          <Button onClick={close}>{messages.modal.cancel}</Button>
          <Button kind="primary" submit busy={form.saving}>
            Record
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
const sameFigure = 'Each of these nights gets the same figure. You can correct single nights afterwards.'
const inItsPlace = 'What you enter replaces the present figure, which is kept on record.'
const onNextBill =
  'This night has already been billed, and that bill does not change: the difference goes on the next one.'

/** Consecutive nights with the same figure are written down in one call. */
export function inRuns(all: readonly Pick<ShownNight, 'night' | 'occupied_units'>[]) {
  const runs: { from: string; to: string; occupied_units: number }[] = []
  for (const { night, occupied_units } of all) {
    const last = runs.at(-1)
    if (last?.occupied_units === occupied_units && addDays(last.to, 1) === night) last.to = night
    else runs.push({ from: night, to: night, occupied_units })
  }
  return runs
}

/** Each night keeps its figure, and gets the present terms of the property. */
export async function takePresentTerms(property: NightRange['property'], all: readonly ShownNight[]): Promise<void> {
  const asked = {
    title: `Bill ${nightsIn(all.length)} of ${property.name} by the present terms?`,
    description:
      'Each keeps its figure of rooms let, and gets the units, percentage and rate that the property has now.',
    accept: 'Use the present terms',
  }
  if (!(await confirm(asked))) return
  try {
    for (const { occupied_units, ...run } of inRuns(all))
      await writeDown({ property, ...run }, { occupied_units, note: 'Billed by later terms', take_present_terms: true })
    notify.success(`${nightsIn(all.length)} of ${property.name} ${all.length === 1 ? 'has' : 'have'} the present terms`)
  } catch (error) {
    notify.failure(error)
  }
  showFigures()
}
