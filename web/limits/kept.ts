// Limits kept: what gateways do not keep to of a package's limits, and when guests are off whose right has ended, in sentences.
import type { Output } from '#contract/endpoint.ts'
import * as properties from '#contract/properties.ts'
import { call } from '#web/kit/call/call.ts'
import { language, locale } from '#web/words/language.ts'
import { say } from '#web/words/limits.ts'

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

const listed = (names: string[]) => new Intl.ListFormat(language() === 'en' ? 'en-GB' : locale()).format(names)
const nameOf = ({ gateway, make }: LimitsKept) => (gateway.name === make ? make : `${gateway.name} (${make})`)

/** A sentence for each gateway that does not keep to what the package limits. */
export const unkept = (rows: readonly LimitsKept[], pack: Limits): string[] =>
  rows.flatMap((row) => {
    const said = (value: 'no' | 'next_sign_in') =>
      limits.filter(([what, field]) => pack[field] > 0 && row.honours[what] === value).map(([what]) => what)
    const sentence = (of: ('time' | 'data' | 'speed')[], kind: 'not-kept' | 'later') => {
      if (of.length === 0) return []
      const what = listed(of.map((one) => say(one)))
      return [say(`${kind}-${of.length > 1 ? 'several' : 'one'}`, { what, pack: pack.name, by: nameOf(row) })]
    }
    return [...sentence(said('no'), 'not-kept'), ...sentence(said('next_sign_in'), 'later')]
  })

const names_shown = 3
const some = (names: string[]) =>
  names.length <= names_shown + 1
    ? listed(names)
    : listed([...names.slice(0, names_shown), say('others', { count: names.length - names_shown })])

/** When guests are off who are put off there; empty where it is at once. */
export function whenOffThere(rows: readonly LimitsKept[]): string {
  const later = Map.groupBy(
    rows.filter(({ honours }) => honours.end !== 'yes'),
    ({ lasts_max_s }) => lasts_max_s,
  )
  return [...later]
    .map(([lasts_max_s, its]) => {
      const names = [...new Set(its.map(nameOf))]
      const most = lasts_max_s === null ? say('all-time') : say('minutes', { minutes: Math.round(lasts_max_s / 60) })
      return say(names.length > 1 ? 'off-several' : 'off-one', { names: some(names), most })
    })
    .join(' ')
}
