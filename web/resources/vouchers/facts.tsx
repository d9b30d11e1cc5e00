// Voucher facts: the six things that the desk wants to know about a voucher.
import { timeOf } from '#web/kit/display/dates.ts'
import { fractionOf } from '#web/kit/display/numbers.ts'
import { Facts as FactList } from '#web/ui/facts.tsx'
import { Meter } from '#web/ui/meter.tsx'
import { say } from '#web/words/desk.ts'
import type { VoucherFacts } from './check.ts'
import styles from './test-voucher.module.css'

export const gigabytes = (value: number) => {
  const [amount, unit] = value > 0 && value < 1 ? [value * 1000, 'MB'] : [value, 'GB']
  return `${fractionOf(amount)} ${unit}`
}
const limitsOf = ({ volume_gb, speed }: VoucherFacts['package']) =>
  `${volume_gb > 0 ? gigabytes(volume_gb) : say('facts.unlimited')} · ${speed > 0 ? `${speed} Mbit/s` : say('facts.full-speed')}`
const redeemedOf = ({ redeemed, redeemed_at }: VoucherFacts) =>
  redeemed ? timeOf(redeemed_at) || say('facts.yes') : say('facts.not-yet')
const expiresOf = ({ redeemed, expires_at }: VoucherFacts) =>
  timeOf(expires_at) || say(redeemed ? 'facts.no-fixed-end' : 'facts.from-first-use')

/** A placeholder until there is an answer. */
const none = '–'

export const Facts = ({ facts }: { facts: VoucherFacts | undefined }) => (
  <div className={styles.facts} data-known={facts !== undefined}>
    <FactList
      facts={[
        [say(facts?.good_in === 'group' ? 'facts.any-property' : 'property'), facts?.property, none],
        [say('facts.batch'), facts?.batch_number, none],
        [say('facts.package'), facts && <PackageOf key="package" facts={facts} />, none],
        [say('facts.redeemed'), facts && redeemedOf(facts), none],
        [say('facts.expires'), facts && expiresOf(facts), none],
        [say('facts.data-used'), facts && <DataUsed key="data" facts={facts} />, none],
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
  const max = gigabytes(pack.volume_gb)
  return (
    <span className={styles.used}>
      {gigabytes(data_used)} <small>{say('facts.of', { max })}</small>
      <Meter
        label={say('facts.used-of', { used: gigabytes(data_used), max })}
        value={data_used}
        max={pack.volume_gb}
        warns={data_used >= 0.9 * pack.volume_gb}
      />
    </span>
  )
}
