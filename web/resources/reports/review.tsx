// Report review: the wizard's last step: everything as it was filled in, with names instead of numbers.
import * as reference from '#contract/reference.ts'
import * as reports from '#contract/reports.ts'
import { useNames } from '#web/kit/call/names.ts'
import { useNamesOf } from '#web/kit/call/options.ts'
import { dayOf } from '#web/kit/display/dates.ts'
import type { Form } from '#web/kit/form/use-form.ts'
import { Facts } from '#web/ui/facts.tsx'
import { Section } from '#web/ui/page.tsx'
import { narrowingSources } from './asked.tsx'
import { narrowings, placeNarrowings, type Narrowing } from './question.ts'
import { isSent, type ReportSchema } from './rules.ts'
import { formatNames, kindNames, periodOf, rangeNames, since_last, viewNames } from './words.ts'

function Chosen({ name, ids }: { name: Narrowing; ids: number[] }) {
  const { from, all } = narrowingSources[name]
  const { names } = useNamesOf(from, ids)
  return ids.length === 0 ? all : ids.map((id) => names.get(id) ?? `#${id}`).join(', ')
}

const wordOf = (names: Record<string, string>, value: unknown) => (typeof value === 'string' ? names[value] : undefined)
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])

export function Review({ form: { values } }: { form: Form<ReportSchema> }) {
  const frequencies = useNames(reference.frequencyTypes)
  const ofSessions = values['kind'] === 'session'
  const { start_date: start, end_date: end } = values
  const own = values['date_range'] === 'custom' && typeof start === 'string' && typeof end === 'string'
  const columns = reports.sessionColumnKeys
    .filter((key) => listOf(values['columns']).includes(key))
    .map((key) => reports.sessionColumns[key].title)
  return (
    <>
      <Section title="Report">
        <Facts
          facts={[
            ['Name', String(values['name'] ?? '')],
            ['About', wordOf(kindNames, values['kind'])],
            ...(ofSessions ? [['Rows', wordOf(viewNames, values['view_as'])] as const] : []),
            [
              'Days',
              own ? periodOf(start, end) : wordOf(rangeNames, values['date_range']),
              isSent(values) ? since_last : 'Last 30 days',
            ],
            ['Format', wordOf(formatNames, values['format'])],
            ...(ofSessions ? [['Columns', columns.join(', ')] as const] : []),
          ]}
        />
      </Section>
      <Section title="Filters">
        <Facts
          facts={(values['kind'] === 'billing' ? placeNarrowings : narrowings).map((name) => [
            narrowingSources[name].label,
            <Chosen key={name} name={name} ids={listOf(values[name]).map(Number)} />,
          ])}
        />
      </Section>
      <Section title="Schedule">
        <Facts
          facts={[
            ['How often', frequencies.find(({ id }) => id === values['frequency'])?.name, 'Never by itself'],
            ...(isSent(values)
              ? [
                  ['First day', typeof start === 'string' ? dayOf(start) : ''] as const,
                  ['Recipients', listOf(values['recipients']).join(', ')] as const,
                ]
              : []),
          ]}
        />
      </Section>
    </>
  )
}
