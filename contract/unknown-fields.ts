// Unknown fields: the fields that a write recognises besides its own, and the sentences for those it does not (DECISIONS §3).
import type { Area } from './permissions.ts'

export const fieldUnknown = 'This field is not known'
export const fieldUnwritable = 'This field cannot be set here'

/** Names of form fields in section 3 of the specification, each with the field that is meant. */
const formNames: Partial<Record<Area, Readonly<Record<string, string>>>> = {
  packages: {
    volume: 'volume_gb',
    volume_type: 'volume_gb, in gigabytes',
    speed: 'speed_mbps',
    session_time: 'session_time_hrs',
    idle_timeout: 'idle_timeout_hrs',
    reoccurrence: 'recurs',
  },
  voucher_batches: { volume: 'volume_gb', speed: 'speed_mbps' },
}

/** Fields of section 3 that no call sets, with their refusals. */
const unwritable: Partial<Record<Area, Readonly<Record<string, string>>>> = {
  users: { password: 'People set their own passwords: an invitation is sent to them.' },
  accounting_integrations: { access_token: fieldUnwritable, refresh_token: fieldUnwritable, type: fieldUnwritable },
  marketing_integrations: { access_token: fieldUnwritable, refresh_token: fieldUnwritable },
}

/** The refusal of a field that a call neither takes nor answers. */
export const refusalOfField = (area: Area, name: string): string => {
  const refusals = unwritable[area]
  if (refusals && Object.hasOwn(refusals, name)) return refusals[name] ?? fieldUnwritable
  const names = formNames[area]
  if (names && Object.hasOwn(names, name)) return `This field is not known here: it is called ${names[name]}`
  return fieldUnknown
}

const moved_names: readonly string[] = [
  'status state occupancy occupants guests guests_online online redeemed left portal_url totals',
  'owner_name owner_removed time_zone_assumed randomised has_password has_username settings_set silent_since',
  'last_run failures filters_applied terms_version zip_number refused_for last_error',
  'organisations audiences accounts tax_types image_url logo_preview_url side_image_preview_url',
].flatMap((names) => names.split(' '))

/** Fields that only the server changes. They may have changed since they were read, so a value sent for them is ignored. */
export const isMoved = (name: string) => moved_names.includes(name) || /_at$|^number_of_|_string$/.test(name)
