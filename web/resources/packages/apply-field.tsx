// Apply field: if a limit was changed while guests are online with the package, asks from when on it applies to them.
import type { z } from 'zod'
import type { PackageChange } from '#contract/packages.ts'
import { wholeOf } from '#web/kit/display/numbers.ts'
import { useField } from '#web/kit/form/use-field.ts'
import type { Form } from '#web/kit/form/use-form.ts'
import { Choices } from '#web/ui/choices.tsx'
import { Section } from '#web/ui/page.tsx'

const limits = ['volume_gb', 'speed_mbps', 'session_time_hrs', 'idle_timeout_hrs'] as const

type Stored = Pick<z.output<typeof PackageChange>, (typeof limits)[number]> & { online: number }

export function ApplyField({ form, record }: { form: Form<typeof PackageChange>; record: Stored }) {
  const { value, set, control, readOnly } = useField(form, 'apply')
  const isChanged = limits.some((name) => String(form.values[name] ?? '') !== String(record[name]))
  if (readOnly || record.online === 0 || !isChanged) return null
  const devices = record.online === 1 ? 'One device is' : `${wholeOf(record.online)} devices are`
  return (
    <Section title="Who is online" hint={`${devices} online on this package.`}>
      <Choices
        label="The new limits apply"
        name="apply"
        options={[
          { value: 'next', label: 'From the next sign-in', hint: 'Guests who are online are not affected.' },
          {
            value: 'now',
            label: 'Now',
            hint: 'Their gateways are told. One that cannot change a running session ends it, and the guest signs in again.',
          },
        ]}
        value={value === 'now' ? 'now' : 'next'}
        error={control.error}
        onChange={set}
      />
    </Section>
  )
}
