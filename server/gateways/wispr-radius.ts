// WISPr RADIUS: what most gateways understand, whoever made them: WISPr's speeds, and no volume.
import { vendorNumber, wispr } from '#server/radius-codec/vendor.ts'
import type { RadiusDialect } from './kind.ts'
import { fromGuestSide } from './octet-side.ts'
import { limitsBy } from './radius-limits.ts'
import { sessionNames } from './session-names.ts'

export const wisprSpeed = (kbits: number) => [
  vendorNumber(wispr.max_up, kbits * 1000),
  vendorNumber(wispr.max_down, kbits * 1000),
]

export const wisprLimits = limitsBy({ speed: wisprSpeed, volume: () => [] })

export const wisprRadius: RadiusDialect = {
  dictionary: wispr,
  accept: wisprLimits,
  report: fromGuestSide,
  end: sessionNames,
  change: null,
}
