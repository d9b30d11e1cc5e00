// Remaining meter: how many codes of a batch are left, as a bar that warns if there are few.
import { wholeOf } from '#web/kit/display/numbers.ts'
import { Meter } from '#web/ui/meter.tsx'
import type { Batch } from './kind.ts'

const few = 0.1

export function RemainingMeter({ batch }: { batch: Batch }) {
  const { left, quantity } = batch
  return (
    <Meter
      label={`${wholeOf(left)} of ${wholeOf(quantity)} left`}
      value={left}
      max={quantity}
      warns={left <= few * quantity}
    />
  )
}
