// Free Wi-Fi report: the rows of each property's guests by day.
import { z } from 'zod'
import { gigabytes, seconds, type ReportContract } from './report-kind.ts'
import { count, day } from './shapes.ts'

export const freeWifiSorts = ['day', 'property', 'sessions', 'unique_guests', 'usage_gb'] as const

export const FreeWifiReportRow = z
  .object({
    property: z.string(),
    day,
    sessions: count,
    unique_guests: count,
    new_guests: count,
    returning_guests: count,
    usage_gb: gigabytes,
    mean_duration: seconds,
    /** Null where the hours of the day are no longer kept. */
    peak_online: count.nullable(),
    /** Guests who agreed to marketing on that day. */
    consents: count,
  })
  .meta({ id: 'FreeWifiReportRow' })

export const freeWifi = {
  word: 'free_wifi',
  sorts: freeWifiSorts,
  rows: [FreeWifiReportRow],
} as const satisfies ReportContract
