// Accept of a CoovaChilli: speed and volume in ChilliSpot's attributes, and the speed in WISPr's too, for products built on it.
import { gigawordsOf } from '#server/radius-codec/packet.ts'
import { vendorNumber, type VendorAttribute } from '#server/radius-codec/vendor.ts'
import { limitsBy } from '#server/gateways/radius-limits.ts'
import { wisprSpeed } from '#server/gateways/wispr-radius.ts'

const vendor = 14_559
export const chilli = {
  max_total_octets: { vendor, type: 3, holds: 'number', name: 'ChilliSpot-Max-Total-Octets' },
  bandwidth_max_up: { vendor, type: 4, holds: 'number', name: 'ChilliSpot-Bandwidth-Max-Up' },
  bandwidth_max_down: { vendor, type: 5, holds: 'number', name: 'ChilliSpot-Bandwidth-Max-Down' },
  max_total_gigawords: { vendor, type: 23, holds: 'number', name: 'ChilliSpot-Max-Total-Gigawords' },
} as const satisfies Record<string, VendorAttribute>

export const accept = limitsBy({
  speed: (kbits) => [
    ...wisprSpeed(kbits),
    vendorNumber(chilli.bandwidth_max_up, kbits),
    vendorNumber(chilli.bandwidth_max_down, kbits),
  ],
  volume(bytes) {
    const { low, gigawords } = gigawordsOf(bytes)
    return [vendorNumber(chilli.max_total_octets, low), vendorNumber(chilli.max_total_gigawords, gigawords)]
  },
})
