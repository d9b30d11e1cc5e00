// Remaining: the remaining time or data, formatted for a language.
import type { Language } from './languages.ts'

const minute_s = 60
const hour_s = 60 * minute_s
const day_s = 24 * hour_s

const unit = (language: Language, name: string, value: number, display: 'long' | 'short' = 'long') =>
  new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay: display, maximumFractionDigits: 1 }).format(
    value,
  )

/** The two largest units: `1 day, 4 hours`. Less than a minute counts as one. */
function time(seconds: number, language: Language): string {
  const minutes = Math.max(1, Math.floor(seconds / minute_s))
  const whole: [name: string, value: number][] = [
    ['day', Math.floor((minutes * minute_s) / day_s)],
    ['hour', Math.floor(((minutes * minute_s) % day_s) / hour_s)],
    ['minute', minutes % 60],
  ]
  const from = whole.findIndex(([, value]) => value > 0)
  const parts = whole.slice(from, from + 2).filter(([, value]) => value > 0)
  return new Intl.ListFormat(language, { type: 'unit' }).format(
    parts.map(([name, value]) => unit(language, name, value)),
  )
}

/** 1 GB is 10⁹ bytes. */
function data(bytes: number, language: Language): string {
  if (bytes >= 1e9) return unit(language, 'gigabyte', bytes / 1e9, 'short')
  return unit(language, 'megabyte', Math.max(0, Math.floor(bytes / 1e6)), 'short')
}

export const left = { time, data }
