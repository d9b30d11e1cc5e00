// Public days: the public and bank holidays of a country, written to standard output. It runs in a separate process
// (server/turns/confined.ts): the library takes half a second and 35 MB to compute calendars, which no request should wait for.
import { addDays, day_ms } from '#contract/days.ts'
import Holidays from 'date-holidays'

export interface PublicDays {
  regions: { code: string; name: string }[]
  days: { name: string; starts_on: string; ends_on: string; kind: 'public' | 'bank'; substitute: boolean }[]
}

/** Empty where the library does not know the country. */
export function publicDays(country: string, region: string | null, year: number): PublicDays {
  if (!Object.hasOwn(new Holidays().getCountries('en'), country)) return { regions: [], days: [] }
  const regions = Object.entries(new Holidays().getStates(country, 'en') ?? {}).map(([code, name]) => ({ code, name }))
  const known = region !== null && regions.some(({ code }) => code === region)
  const calendar = known ? new Holidays(country, region) : new Holidays(country)
  const days = calendar.getHolidays(year, 'en').flatMap(({ name, date, start, end, type, substitute = false }) => {
    if (type !== 'public' && type !== 'bank') return []
    const starts_on = date.slice(0, 10)
    const length_days = Math.max(1, Math.round((end.getTime() - start.getTime()) / day_ms))
    const ends_on = addDays(starts_on, length_days - 1)
    return [{ name, starts_on, ends_on, kind: type, substitute }]
  })
  return { regions, days }
}

if (import.meta.main) {
  const [country = '', region = '', year = ''] = process.argv.slice(2)
  process.stdout.write(JSON.stringify(publicDays(country, region === '' ? null : region, Number(year))))
}
