// Calendar rules: how an event comes again, in words, for whoever reviews its times.
import type ICAL from 'ical.js'

const periods: Record<string, string> = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' }
const weekdays: Record<string, string> = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
}
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const places: Record<string, string> = {
  '1': 'the first ',
  '2': 'the second ',
  '3': 'the third ',
  '4': 'the fourth ',
  '5': 'the fifth ',
  '-1': 'the last ',
}

const listed = (parts: readonly string[]) =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`

/** `Every year on the first Monday in May, 10 times`, `Every 2 weeks on Friday until 2027-05-03`. */
export function ruleText(rule: ICAL.Recur): string {
  const period = periods[rule.freq] ?? rule.freq.toLowerCase()
  const every = rule.interval > 1 ? `Every ${rule.interval} ${period}s` : `Every ${period}`
  const parts = (name: string) => (rule.parts as Record<string, (string | number)[] | undefined>)[name] ?? []
  const days = parts('BYDAY').map((day) => {
    const [, place = '', weekday = ''] = /^([+-]?\d*)([A-Z]{2})$/.exec(String(day)) ?? []
    return `${places[place.replace('+', '')] ?? ''}${weekdays[weekday] ?? String(day)}`
  })
  const of_month = parts('BYMONTHDAY').map(String)
  const in_months = parts('BYMONTH').map((month) => months[Number(month) - 1] ?? String(month))
  return [
    every,
    days.length > 0 && ` on ${listed(days)}`,
    of_month.length > 0 && ` on the days ${listed(of_month)}`,
    in_months.length > 0 && ` in ${listed(in_months)}`,
    rule.count && `, ${rule.count} times`,
    rule.until && ` until ${rule.until.toString().slice(0, 10)}`,
  ]
    .filter(Boolean)
    .join('')
}
