// Today: the day of the calendar at the desk, as the API spells it: `2026-11-21`.
const two = (value: number) => String(value).padStart(2, '0')

export function today(now = new Date()): string {
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}
