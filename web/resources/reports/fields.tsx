// Report fields: the steps of the wizard: the kind of report, its filters, days and columns, and its schedule.
import { fieldsIn } from '#contract/fields.ts'
import * as reports from '#contract/reports.ts'
import { formatNames } from '#web/kit/display/file-formats.ts'
import { zoneName } from '#web/kit/display/time-zones.ts'
import { ChoiceField } from '#web/kit/form/choice-field.tsx'
import { DayField } from '#web/kit/form/day-field.tsx'
import { FieldSection } from '#web/kit/form/field-section.tsx'
import { Field } from '#web/kit/form/field.tsx'
import { useField } from '#web/kit/form/use-field.ts'
import type { Values } from '#web/kit/form/form-state.ts'
import type { Form } from '#web/kit/form/use-form.ts'
import { mayCall } from '#web/session/may.ts'
import { Checks } from '#web/ui/checks.tsx'
import { FieldFact } from '#web/ui/facts.tsx'
import { RecipientsField } from './recipients-field.tsx'
import { isSent, type ReportSchema } from './rules.ts'
import { useZone } from './use-zone.ts'
import { kindIn, kinds } from './kinds.ts'
import { viewNames } from './report-kind.ts'
import { optionsOf, rangeNames } from './words.ts'

const { fields, guestNarrowings } = reports

/** The fields of each step, which can only be left once they are valid. */
export const stepFields = {
  report: fieldsIn(fields, 'report'),
  filters: ['places', 'guests'].flatMap((section) => fieldsIn(fields, section)),
  days: ['days', 'file'].flatMap((section) => fieldsIn(fields, section)),
  schedule: [...fieldsIn(fields, 'schedule'), 'start_date'],
}

interface Fields {
  form: Form<ReportSchema>
}
const kindOfForm = ({ values }: Form<ReportSchema>) => kinds[kindIn(values['kind'])]

export const ReportFields = ({ form }: Fields) => {
  const offered = Object.entries(kinds).filter(([, { offered_with }]) => mayCall(offered_with))
  return (
    <FieldSection
      form={form}
      fields={fields}
      section="report"
      title="Report"
      hint="Your team sees the name, and so does everyone who gets it by mail."
      rows={[['name'], ['kind', 'view_as']]}
      own={{
        name: <Field form={form} name="name" first />,
        kind: (
          <ChoiceField form={form} name="kind" options={offered.map(([value, { name }]) => ({ value, label: name }))} />
        ),
        view_as: kindOfForm(form).has_views && (
          <ChoiceField
            form={form}
            name="view_as"
            options={optionsOf(viewNames)}
            hint="All sessions, or each guest once."
          />
        ),
      }}
    />
  )
}

/** Filters of guests that were chosen for sessions are also shown for a statement, as they have to be removed. */
const isNarrowed = (values: Values) =>
  guestNarrowings.some((name) => Array.isArray(values[name]) && values[name].length > 0)

export function FilterFields({ form }: Fields) {
  return (
    <>
      <FieldSection
        form={form}
        fields={fields}
        section="places"
        title="Where"
        hint="Properties, groups and collections together. None chosen: everywhere."
      />
      {(kindOfForm(form).narrowed_by.includes('guests') || isNarrowed(form.values)) && (
        <FieldSection
          form={form}
          fields={fields}
          section="guests"
          title="Who and how"
          hint="Within one field any choice matches; across fields all must match."
        />
      )}
    </>
  )
}

export function DaysFields({ form }: Fields) {
  const custom = form.values['date_range'] === 'custom'
  return (
    <>
      <FieldSection
        form={form}
        fields={fields}
        section="days"
        title="Days"
        hint={kindOfForm(form).days_hint}
        rows={[['date_range'], ['start_date', 'end_date']]}
        own={{
          date_range: <ChoiceField form={form} name="date_range" options={optionsOf(rangeNames)} />,
          ...(custom ? {} : { start_date: null, end_date: null }),
        }}
      />
      <FieldSection
        form={form}
        fields={fields}
        section="file"
        title="File"
        own={{
          format: <ChoiceField form={form} name="format" options={optionsOf(formatNames)} />,
          columns: kindOfForm(form).has_views && <ColumnsField form={form} />,
        }}
      />
    </>
  )
}

/** The columns of the chosen view; those ticked for the other one are kept. */
function ColumnsField({ form }: Fields) {
  const { label, value, set, control, readOnly } = useField(form, 'columns')
  const view = form.values['view_as']
  const chosen = Array.isArray(value) ? value.map(String) : []
  const offered = reports.sessionColumnKeys.filter((key) =>
    (reports.sessionColumns[key].views as readonly unknown[]).includes(view),
  )
  const titles = offered.filter((key) => chosen.includes(key)).map((key) => reports.sessionColumns[key].title)
  if (readOnly) return <FieldFact label={label}>{titles.join(', ')}</FieldFact>
  return (
    <Checks
      label={label}
      error={control.error}
      options={offered.map((key) => ({ value: key, label: reports.sessionColumns[key].title }))}
      value={chosen}
      onChange={(next) => {
        set(reports.sessionColumnKeys.filter((key) => next.includes(key)))
        control.onBlur()
      }}
    />
  )
}

export const ScheduleFields = ({ form }: Fields) => {
  const sent = isSent(form.values)
  const own = form.values['date_range'] === 'custom'
  const zone = useZone()
  const whose = zone === undefined ? 'the company’s time zone' : `${zoneName(zone)} time`
  return (
    <FieldSection
      form={form}
      fields={fields}
      section="schedule"
      title="Schedule"
      hint={`Without a frequency it only runs when somebody opens it. It is sent at six in the morning, ${whose}.`}
      rows={[['frequency'], ['start_date']]}
      own={{
        start_date: sent && (own ? <SameDays /> : <FirstDayField form={form} />),
        recipients: sent && (
          <RecipientsField
            form={form}
            hint="One address a line. People who are not users here are asked once whether they want it; each mail has a link to stop it."
          />
        ),
        ...(sent ? {} : { only_if_rows: false }),
      }}
    />
  )
}

/** The label of `start_date` in a schedule, where it is not the start of a range. */
export const first_day = 'First day'

const SameDays = () => (
  <FieldFact label={first_day}>The first of the days chosen; each time, the same days are sent.</FieldFact>
)

const FirstDayField = ({ form }: Fields) => {
  const { first_day_hint: hint } = kindOfForm(form)
  return <DayField form={form} name="start_date" label={first_day} {...(hint === undefined ? {} : { hint })} />
}
