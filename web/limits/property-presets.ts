// Property presets: what a new property begins with, wherever it is made.
import type { Output } from '#contract/endpoint.ts'
import * as packages from '#contract/packages.ts'
import * as portals from '#contract/portals.ts'
import * as reference from '#contract/reference.ts'
import { useNames, type Name } from '#web/kit/call/names.ts'
import { countryHere } from '#web/kit/display/time-zones.ts'

type Country = Output<typeof reference.countries>[number]
const isCountry = (row: Name): row is Country => 'time_zones' in row

export const useCountries = () => useNames(reference.countries).filter(isCountry)
/** The country that the browser's time zone reveals, if it does. */
export const useCountryHere = () => countryHere(useCountries())

const isActive = ({ status }: Name) => status === 'active'

/** The only portal that shows guests a page, and the oldest package that is offered, which most operators begin with. */
export function presetsOf(every: { portals: readonly Name[]; packages: readonly Name[] }) {
  const [portal, ...others] = every.portals.filter(isActive)
  const [pack] = every.packages.filter(isActive).toSorted((one, other) => one.id - other.id)
  return { ...(portal && others.length === 0 && { portal_id: portal.id }), ...(pack && { package_id: pack.id }) }
}

export const usePropertyPresets = () =>
  presetsOf({ portals: useNames(portals.names), packages: useNames(packages.names) })
