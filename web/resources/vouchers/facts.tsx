// Voucher facts: the six things that the desk wants to know about a voucher.
import { timeOf } from '#web/kit/display/dates.ts'
import { Facts as FactList } from '#web/ui/facts.tsx'
import { Meter } from '#web/ui/meter.tsx'
import type { VoucherFacts } from './check.ts'
import styles from './test-voucher.module.css'

export const gigabytes = (value: number) => {
  const [amount, unit] = value > 0 && value < 1 ? [value * 1000, 'MB'] : [value, 'GB']
  return `${amount.toLocaleString('en-GB', { maximumFractionDigits: 1 })} ${unit}`
}
const limitsOf = ({ volume_gb, speed }: VoucherFacts['package']) =>
  `${volume_gb > 0 ? gigabytes(volume_gb) : 'unlimited data'} · ${speed > 0 ? `${speed} Mbit/s` : 'full speed'}`
const redeemedOf = ({ redeemed, redeemed_at }: VoucherFacts) => (redeemed ? timeOf(redeemed_at) || 'Yes' : 'Not yet')
const expiresOf = ({ redeemed, expires_at }: VoucherFacts) =>
  timeOf(expires_at) || (redeemed ? 'No fixed end' : 'Runs from first use')

/** A placeholder until there is an answer. */
const none = '–'

export const Facts = ({ facts }: { facts: VoucherFacts | undefined }) => (
  <div className={styles.facts} data-known={facts !== undefined}>
    <FactList
      facts={[
        [facts?.good_in === 'group' ? 'Any property of' : 'Property', facts?.property, none],
        ['Batch', facts?.batch_number, none],
        ['Package', facts && <PackageOf key="package" facts={facts} />, none],
        ['Redeemed', facts && redeemedOf(facts), none],
        ['Expires', facts && expiresOf(facts), none],
        ['Data used', facts && <DataUsed key="data" facts={facts} />, none],
      ]}
    />
  </div>
)

const PackageOf = ({ facts }: { facts: VoucherFacts }) => (
  <>
    {facts.package.name} <small>{limitsOf(facts.package)}</small>
  </>
)

function DataUsed({ facts: { data_used, package: pack } }: { facts: VoucherFacts }) {
  if (pack.volume_gb === 0) return gigabytes(data_used)
  const used = `${gigabytes(data_used)} of ${gigabytes(pack.volume_gb)}`
  return (
    <span className={styles.used}>
      {gigabytes(data_used)} <small>of {gigabytes(pack.volume_gb)}</small>
      <Meter label={`${used} used`} value={data_used} max={pack.volume_gb} warns={data_used >= 0.9 * pack.volume_gb} />
    </span>
  )
}
