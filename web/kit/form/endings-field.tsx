// Endings field: what was made under the password that is being changed, by kind; what is ticked ends with it.
import { keysOf } from '#contract/keys.ts'
import { timeOf } from '#web/kit/display/dates.ts'
import { Checks } from '#web/ui/checks.tsx'
import { Notice } from '#web/ui/state.tsx'
import type { FieldProps } from './field.tsx'
import type { Schema } from './form-state.ts'
import { useField } from './use-field.ts'

export const endingKinds = {
  keys: 'API keys',
  users: 'Users',
  schedules: 'Scheduled reports',
  connections: 'Connections',
  webhooks: 'Webhooks',
  gateways: 'Gateways',
}
type Kind = keyof typeof endingKinds
const kinds = keysOf(endingKinds)

interface Made {
  id: number
  name: string
  customer_name: string
  made_at: string
  session: { device: string | null; ip: string | null; current: boolean }
  may_end: boolean
}

export function EndingsField<S extends Schema>({
  form,
  name,
  made,
}: Pick<FieldProps<S>, 'form' | 'name'> & { made: Partial<Record<Kind, Made[]>> & { since: string } }) {
  const { value, set, control } = useField(form, name, 'To be ended')
  const ends = value as Partial<Record<Kind, number[]>> | undefined
  // A node of the release before names fewer kinds.
  const listed = (kind: Kind) => made[kind] ?? []
  const all = kinds.flatMap(listed)
  const customers = new Set(all.map((one) => one.customer_name))
  if (all.length === 0) return null
  const wordsOf = ({ name: called, customer_name, made_at, session: { device, ip, current } }: Made) =>
    [
      called,
      customers.size > 1 && customer_name,
      timeOf(made_at),
      current ? 'in this session' : [device, ip].filter(Boolean).join(', '),
    ]
      .filter(Boolean)
      .join(' · ')
  const kept = all.filter((one) => !one.may_end)
  return (
    <>
      <Notice tone="info">
        These were created since {timeOf(made.since)} and work without your password. Tick anything you did not create
        yourself: it stops working together with the old password.
      </Notice>
      {kinds
        .filter((kind) => listed(kind).some((one) => one.may_end))
        .map((kind) => (
          <Checks
            key={kind}
            label={endingKinds[kind]}
            error={control.error}
            options={listed(kind)
              .filter((one) => one.may_end)
              .map((one) => ({ value: String(one.id), label: wordsOf(one) }))}
            value={(ends?.[kind] ?? []).map(String)}
            onChange={(chosen) => set({ ...ends, [kind]: chosen.map(Number) })}
          />
        ))}
      {kept.length > 0 && (
        <Notice tone="info">Ask an editor of the company to end these: {kept.map(wordsOf).join('; ')}.</Notice>
      )}
    </>
  )
}
