// Columns of the free Wi-Fi report: all of them.
import type { ColumnOfReport } from '#server/reports/kind.ts'

export const freeWifiColumns: ColumnOfReport[] = [
  { key: 'property', title: 'Property', kind: 'text' },
  { key: 'day', title: 'Day', kind: 'date' },
  { key: 'sessions', title: 'Sessions', kind: 'number' },
  { key: 'unique_guests', title: 'Unique guests', kind: 'number' },
  { key: 'new_guests', title: 'New guests', kind: 'number' },
  { key: 'returning_guests', title: 'Returning guests', kind: 'number' },
  { key: 'usage_gb', title: 'Usage (GB)', kind: 'gigabytes' },
  { key: 'mean_duration', title: 'Mean duration', kind: 'duration' },
  { key: 'peak_online', title: 'Most online at once', kind: 'number' },
  { key: 'consents', title: 'Marketing consents', kind: 'number' },
]
