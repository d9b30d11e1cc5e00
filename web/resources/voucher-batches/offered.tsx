// Offered: the limits of a batch, and the sentence that says what a guest gets.
import { useQuery } from '@tanstack/react-query'
import type { Output } from '#contract/endpoint.ts'
import * as groups from '#contract/groups.ts'
import * as packages from '#contract/packages.ts'
import * as properties from '#contract/properties.ts'
import * as batches from '#contract/voucher-batches.ts'
import { call } from '#web/kit/call/call.ts'
import { timeIn } from '#web/kit/display/dates.ts'
import { FieldSection } from '#web/kit/form/field-section.tsx'
import { Field } from '#web/kit/form/field.tsx'
import { useNames } from '#web/kit/call/names.ts'
import type { useResource } from '#web/kit/form/use-resource.ts'
import { appContext } from '#web/session/context.ts'
import { useSession } from '#web/session/session.ts'
import { Icon } from '#web/ui/icons.tsx'
import { hoursOf, sentenceOf, volumeOf } from './offer.ts'
import styles from './voucher-batches.module.css'

/** A batch cannot be changed, so there is no update. */
export const contract = { ...batches, update: batches.create }
type Filled = ReturnType<typeof useResource<typeof contract, typeof batches.VoucherBatchInput>>

function usePackage(id: unknown) {
  return useQuery({
    queryKey: ['one', packages.get.path, id],
    queryFn: ({ signal }) => call(packages.get, { id: Number(id) }, { signal }),
    enabled: typeof id === 'number',
  }).data
}

export function LimitFields({ form }: { form: Filled }) {
  const pack = usePackage(form.values['package_id'])
  const hint = (limit: string | undefined) =>
    limit ? `0 keeps the package's ${limit}.` : '0 keeps what the package allows.'
  return (
    <FieldSection
      form={form}
      fields={batches.fields}
      section="limits"
      title="Limits"
      hint="Only if this batch should differ from its package."
      rows={[['volume_gb', 'speed_mbps', 'devices']]}
      own={{
        volume_gb: (
          <Field
            form={form}
            name="volume_gb"
            unit="GB"
            hint={hint(pack && (pack.volume_gb > 0 ? volumeOf(pack.volume_gb) : 'unlimited data'))}
          />
        ),
        speed_mbps: (
          <Field
            form={form}
            name="speed_mbps"
            unit="Mbit/s"
            hint={hint(pack && (pack.speed_mbps > 0 ? `${pack.speed_mbps} Mbit/s` : 'full speed'))}
          />
        ),
        devices: (
          <Field
            form={form}
            name="devices"
            hint={hint(pack && (pack.max_users > 0 ? `${pack.max_users}` : 'any number'))}
          />
        ),
      }}
    />
  )
}

/** The sentence that summarises the form. */
export function Offered({ form, zone }: { form: Filled; zone: string }) {
  const { user } = useSession()
  const { values } = form
  const pack = usePackage(values['package_id'])
  const property = useNames(properties.names).find((row) => row.id === values['property_id'])
  const group = useNames(appContext() === 'customer' ? groups.names : undefined).find(
    (row) => row.id === values['group_id'],
  )
  if (!pack) return null
  const own = appContext() === 'property' ? user?.owner_name : undefined
  const wholeGroup = group?.name ?? (appContext() === 'group' && !property ? user?.owner_name : undefined)
  const place = own ?? property?.name ?? (wholeGroup && `every property of ${wholeGroup}`)
  return (
    <div role="status">
      <Sentence
        pack={pack}
        own={values}
        place={place}
        zone={zone}
        withPassword={String(values['password'] ?? '').trim() !== ''}
      />
    </div>
  )
}

/** What a guest gets for a code of an existing batch. */
export function OfferedBy({ batch }: { batch: Output<typeof batches.get> }) {
  const pack = usePackage(batch.package.id)
  const place = batch.property?.name ?? (batch.group && `every property of ${batch.group.name}`)
  return pack ? <Sentence pack={pack} own={batch} place={place} withPassword={batch.has_password} /> : null
}

interface SentenceProps {
  pack: Output<typeof packages.get>
  /** The batch, or the values of the form. */
  own: { volume_gb?: unknown; speed_mbps?: unknown; devices?: unknown; valid_from?: unknown; expires_at?: unknown }
  place: string | null | undefined
  /** In which moments are said; absent: the browser's. */
  zone?: string
  withPassword: boolean
}

function Sentence({ pack, own, place, zone, withPassword }: SentenceProps) {
  const orPackage = (value: unknown, limit: number) => (typeof value === 'number' && value > 0 ? value : limit)
  const moment = (value: unknown) => timeIn(typeof value === 'string' ? value : null, zone) || undefined
  const offer = {
    ...pack,
    volume_gb: orPackage(own.volume_gb, pack.volume_gb),
    speed_mbps: orPackage(own.speed_mbps, pack.speed_mbps),
    max_users: orPackage(own.devices, pack.max_users),
    shared: orPackage(own.devices, 0) > 1,
    place: place ?? undefined,
    valid_from: moment(own.valid_from),
    expires_at: moment(own.expires_at),
    withPassword,
  }
  return (
    <div className={styles.offer}>
      <Icon name="vouchers" />
      <p>
        {sentenceOf(offer)}
        {offer.expires_at && pack.session_time_hrs > 0 && pack.recurs === 'none' && (
          <small>The end that you set replaces the package’s {hoursOf(pack.session_time_hrs)}.</small>
        )}
      </p>
    </div>
  )
}
