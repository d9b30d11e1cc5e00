// Octet side: RFC 2866 counts what the gateway receives as input, which is the guest's upload; some boxes count from their own side.
import type { CountedSession } from './kind.ts'

/** Up and down as the guest sees them. */
export function fromGuestSide<R extends CountedSession>(
  counted: R,
  { counts_from_gateway_side }: { counts_from_gateway_side: boolean },
): R {
  if (!counts_from_gateway_side) return counted
  const { bytes_up, bytes_down, up_is_whole, down_is_whole } = counted
  return {
    ...counted,
    bytes_up: bytes_down,
    bytes_down: bytes_up,
    up_is_whole: down_is_whole,
    down_is_whole: up_is_whole,
  }
}
