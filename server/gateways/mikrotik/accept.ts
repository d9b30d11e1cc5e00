// Accept of a MikroTik: speed and volume in RouterOS's attributes.
import { gigawordsOf } from '#server/radius-codec/packet.ts'
import { vendorNumber, vendorText, type VendorAttribute } from '#server/radius-codec/vendor.ts'
import { limitsBy } from '#server/gateways/radius-limits.ts'

const vendor = 14_988
export const mikrotik = {
  rate_limit: { vendor, type: 8, holds: 'text', name: 'Mikrotik-Rate-Limit' },
  total_limit: { vendor, type: 17, holds: 'number', name: 'Mikrotik-Total-Limit' },
  total_limit_gigawords: { vendor, type: 18, holds: 'number', name: 'Mikrotik-Total-Limit-Gigawords' },
} as const satisfies Record<string, VendorAttribute>

export const accept = limitsBy({
  // What the router receives comes first: the guest's upload.
  speed: (kbits) => [vendorText(mikrotik.rate_limit, `${kbits}k/${kbits}k`)],
  volume(bytes) {
    const { low, gigawords } = gigawordsOf(bytes)
    return [vendorNumber(mikrotik.total_limit, low), vendorNumber(mikrotik.total_limit_gigawords, gigawords)]
  },
})
