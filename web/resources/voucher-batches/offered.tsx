// Offered: what the numbers of a new batch come to: the limits of its own, and the sentence for the guest.
import { useQuery } from '@tanstack/react-query'
import * as groups from '#contract/groups.ts'
import * as packages from '#contract/packages.ts'
import * as properties from '#contract/properties.ts'
import * as batches from '#contract/voucher-batches.ts'
import { call } from '#web/kit/call/call.ts'
import { timeOf } from '#web/kit/display/dates.ts'
import { Field } from '#web/kit/form/field.tsx'
import { useNames } from '#web/kit/call/names.ts'
import type { useResource } from '#web/kit/form/use-resource.ts'
import { appContext } from '#web/session/context.ts'
import { useSession } from '#web/session/session.ts'
import { Icon } from '#web/ui/icons.tsx'
import { Row } from '#web/ui/page.tsx'
import { hoursOf, sentenceOf, volumeOf } from './offer.ts'
import styles from './voucher-batches.module.css'

/** A batch is never changed once its codes are out. */
export const contract = { ...batches, update: batches.create }
type Filled = ReturnType<typeof useResource<typeof contract, typeof batches.VoucherBatchInput>>

function usePackage(id: unknown) {
  return useQuery({
    queryKey: ['one', packages.get.path, id],
    queryFn: ({ signal }) => call(packages.get, { id: Number(id) }, { signal }),
    enabled: typeof id === 'number',
  }).data
}

export function Limits({ form }: { form: Filled }) {
  const pack = usePackage(form.values['package_id'])
  const hint = (said: string | undefined) => (said ? `0 leaves the package's ${said}.` : "0 leaves the package's.")
  return (
    <Row>
      <Field
        form={form}
        name="volume_gb"
        label="Data"
        unit="GB"
        hint={hint(pack && (pack.volume_gb > 0 ? volumeOf(pack.volume_gb) : 'unlimited data'))}
      />
      <Field
        form={form}
        name="speed_mbps"
        label="Speed"
        unit="Mbit/s"
        hint={hint(pack && (pack.speed_mbps > 0 ? `${pack.speed_mbps} Mbit/s` : 'full speed'))}
      />
    </Row>
  )
}

/** The sentence that tells what all the numbers come to. */
export function Offered({ form }: { form: Filled }) {
  const { user } = useSession()
  const { values } = form
  const pack = usePackage(values['package_id'])
  const property = useNames(properties.names).find((row) => row.id === values['property_id'])
  const group = useNames(appContext() === 'customer' ? groups.names : undefined).find(
    (row) => row.id === values['group_id'],
  )
  if (!pack) return null
  const above0 = (own: unknown, packs: number) => (typeof own === 'number' && own > 0 ? own : packs)
  const own = appContext() === 'property' ? user?.owner_name : undefined
  const wholeGroup = group?.name ?? (appContext() === 'group' && !property ? user?.owner_name : undefined)
  const place = own ?? property?.name ?? (wholeGroup && `every property of ${wholeGroup}`)
  const moment = (value: unknown) => timeOf(typeof value === 'string' ? value : null) || undefined
  const offer = {
    ...pack,
    volume_gb: above0(values['volume_gb'], pack.volume_gb),
    speed_mbps: above0(values['speed_mbps'], pack.speed_mbps),
    place,
    valid_from: moment(values['valid_from']),
    expires_at: moment(values['expires_at']),
    withPassword: String(values['password'] ?? '').trim() !== '',
  }
  return (
    <div className={styles.offer} role="status">
      <Icon name="vouchers" />
      <p>
        {sentenceOf(offer)}
        {offer.expires_at && pack.session_time_hrs > 0 && (
          <small>The end that you set takes the place of the package’s {hoursOf(pack.session_time_hrs)}.</small>
        )}
      </p>
    </div>
  )
}
