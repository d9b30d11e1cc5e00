// Report review: the wizard's last step: what was filled in, with names instead of ids.
import * as reports from '#contract/reports.ts'
import { FieldFacts } from '#web/kit/detail/field-facts.tsx'
import { formatNames } from '#web/kit/display/file-formats.ts'
import { periodOf } from '#web/kit/display/months.ts'
import { dayOf } from '#web/kit/display/dates.ts'
import type { Form } from '#web/kit/form/use-form.ts'
import { Section } from '#web/ui/page.tsx'
import { first_day } from './fields.tsx'
import { isSent, type ReportSchema } from './rules.ts'
import { kindIn, kinds } from './kinds.ts'
import { viewNames } from './report-kind.ts'
import { rangeNames, since_last } from './words.ts'

const { fields } = reports

const wordOf = (names: Record<string, string>, value: unknown) => (typeof value === 'string' ? names[value] : undefined)
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])

export function Review({ form: { values } }: { form: Form<ReportSchema> }) {
  const { name, has_views, narrowed_by } = kinds[kindIn(values['kind'])]
  const { start_date: start, end_date: end } = values
  const own = values['date_range'] === 'custom' && typeof start === 'string' && typeof end === 'string'
  const columns = reports.sessionColumnKeys
    .filter((key) => listOf(values['columns']).includes(key))
    .map((key) => reports.sessionColumns[key].title)
  return (
    <>
      <Section title="Report">
        <FieldFacts
          fields={fields}
          of={values}
          filledOnly
          sections={['report', 'days', 'file']}
          own={{
            kind: [name],
            view_as: has_views ? [wordOf(viewNames, values['view_as'])] : null,
            date_range: [
              own
                ? periodOf(start, end)
                : (wordOf(rangeNames, values['date_range']) ?? (isSent(values) ? since_last : 'Last 30 days')),
            ],
            start_date: null,
            end_date: null,
            format: [wordOf(formatNames, values['format'])],
            columns: has_views ? [columns.join(', ')] : null,
          }}
        />
      </Section>
      <Section title="Filters">
        <FieldFacts fields={fields} of={values} sections={narrowed_by} />
      </Section>
      <Section title="Schedule">
        <FieldFacts
          fields={fields}
          of={values}
          first={[
            ['frequency'],
            ...(isSent(values)
              ? [['start_date', [typeof start === 'string' ? dayOf(start) : '', undefined, first_day]] as const]
              : []),
          ]}
          sections={['schedule']}
          own={{ recipients: isSent(values) ? [listOf(values['recipients']).join(', ')] : null }}
        />
      </Section>
    </>
  )
}
