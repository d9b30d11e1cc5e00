// Limits kept: what gateways do not keep to of a package's limits, and when guests are off whose right has ended, in sentences.
import type { Output } from '#contract/endpoint.ts'
import * as properties from '#contract/properties.ts'
import { call } from '#web/kit/call/call.ts'

export type LimitsKept = Output<typeof properties.limits>[number]
/** Neither: of all properties in reach. */
export interface Where {
  property_ids?: number[]
  group_id?: number
}

export const limitsAt = (where: Where) => ({
  queryKey: ['limits kept', where],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(properties.limits, where, { signal }),
})

/** What a package limits. */
export interface Limits {
  name: string
  session_time_hrs: number
  volume_gb: number
  speed_mbps: number
}
const limits = [
  ['time', 'session_time_hrs'],
  ['data', 'volume_gb'],
  ['speed', 'speed_mbps'],
] as const

const listed = new Intl.ListFormat('en-GB')
const nameOf = ({ gateway, make }: LimitsKept) => (gateway.name === make ? make : `${gateway.name} (${make})`)

/** A sentence for each gateway that does not keep to what the package limits. */
export const unkept = (rows: readonly LimitsKept[], pack: Limits): string[] =>
  rows.flatMap((row) => {
    const said = (value: 'no' | 'next_sign_in') =>
      limits.filter(([what, field]) => pack[field] > 0 && row.honours[what] === value).map(([what]) => what)
    const sentence = (what: string[], one: string, several: string) => {
      if (what.length === 0) return []
      const [word, verb] = what.length > 1 ? ['limits', several] : ['limit', one]
      return [`The ${listed.format(what)} ${word} of “${pack.name}” ${verb}`]
    }
    const by = nameOf(row)
    const later = `at ${by} from the next sign-in on only.`
    return [
      ...sentence(said('no'), `is not kept by ${by}.`, `are not kept by ${by}.`),
      ...sentence(said('next_sign_in'), `holds ${later}`, `hold ${later}`),
    ]
  })

const names_shown = 3
const some = (names: string[]) =>
  names.length <= names_shown + 1
    ? listed.format(names)
    : listed.format([...names.slice(0, names_shown), `${names.length - names_shown} others`])
const minutesOf = (seconds: number) => `${Math.round(seconds / 60)} minutes`

/** When guests are off who are put off there; empty where it is at once. */
export function whenOffThere(rows: readonly LimitsKept[]): string {
  const later = Map.groupBy(
    rows.filter(({ honours }) => honours.end !== 'yes'),
    ({ lasts_max_s }) => lasts_max_s,
  )
  return [...later]
    .map(([lasts_max_s, its]) => {
      const names = [...new Set(its.map(nameOf))]
      const most = lasts_max_s === null ? 'which is all the time that they have' : `${minutesOf(lasts_max_s)} at most`
      return (
        `${some(names)} cannot be told to put anybody off: whoever is online through ${names.length > 1 ? 'them' : 'it'} is off at ` +
        `the end of the granted length, ${most}.`
      )
    })
    .join(' ')
}
