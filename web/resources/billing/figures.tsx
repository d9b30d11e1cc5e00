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
import { periodOf } from '#web/kit/display/months.ts'
import styles from './billing.module.css'

export const nightsIn = (count_of: number) => (count_of === 1 ? '1 night' : `${count_of} nights`)

/** Consecutive nights. */
export interface NightRange {
  property: { id: number; name: string }
  from: string
  to: string
  nights: number
  /** The present figure of a single night, and its version; absent if there is none. */
  written?: { occupied_units: number; version: number }
  /** The night is in an approved bill. */
  billed?: boolean
}

/**
 * What a night has by now: a bill shows the figure that it was drawn from, which may have been corrected since. Undefined if it could
 * not be read, which is said.
 */
export async function correctionOf(
  property: NightRange['property'],
  night: string,
  billed: boolean,
): Promise<NightRange | undefined> {
  try {
    const filters = { property_id: [property.id], from: night, to: night }
    const { data } = await call(nights.nightList, { filters })
    const [{ occupied_units, version } = { occupied_units: null, version: 0 }] = data
    const written = occupied_units === null ? {} : { written: { occupied_units, version } }
    return { property, from: night, to: night, nights: 1, billed, ...written }
  } catch (error) {
    notify.failure(error)
    return undefined
  }
}

const Figures = z.object({ occupied_units: count, note: text(500), take_present_terms: z.boolean() })
type Figures = z.output<typeof Figures>

async function writeDown({ property, from, to, written }: NightRange, figures: Figures) {
  for (let night = from; night <= to; night = addDays(night, nights.nights_at_once)) {
    const last = addDays(night, nights.nights_at_once - 1)
    await call(nights.correctNight, {
      property_id: property.id,
      night,
      last_night: last < to ? last : to,
      version: written?.version,
      ...figures,
    })
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
  const initial = isCorrection ? { occupied_units: written.occupied_units } : {}
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

/** Each night keeps the figure that it has by now, and gets the present terms of the property. */
export async function takePresentTerms(property: NightRange['property'], all: readonly string[]): Promise<void> {
  const [night, ...other_nights] = all
  if (night === undefined) return
  const asked = {
    title: `Bill ${nightsIn(all.length)} of ${property.name} by the present terms?`,
    description:
      'Each keeps its figure of rooms let, and gets the units, percentage and rate that the property has now.',
    accept: 'Use the present terms',
  }
  if (!(await confirm(asked))) return
  const terms = { note: 'Billed by later terms', take_present_terms: true }
  try {
    await call(nights.correctNight, { property_id: property.id, night, other_nights, ...terms })
    notify.success(`${nightsIn(all.length)} of ${property.name} ${all.length === 1 ? 'has' : 'have'} the present terms`)
  } catch (error) {
    notify.failure(error)
  }
  showFigures()
}
