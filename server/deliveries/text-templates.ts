// SMS templates: the text messages that the product sends. Every 160 characters cost as much as a message, so they are short.
import { oneLine } from '#server/deliveries/mail-templates.ts'

/** The guest's sign-in; `until` in the property's own time. */
export const guestSignInText = (guest: { place: string; username: string; password: string; until: string | null }) =>
  `Wi-Fi at ${oneLine(guest.place)}. User name: ${guest.username} Password: ${guest.password}` +
  (guest.until === null ? '' : ` (until ${guest.until})`)

export const howToSignInText = (guest: {
  place: string
  network: string | null
  rows: readonly { label: string; value: string }[]
}) =>
  `Wi-Fi at ${oneLine(guest.place)}. ${guest.network === null ? '' : `Network: ${oneLine(guest.network)}. `}` +
  guest.rows.map(({ label, value }) => `${label}: ${oneLine(value)}`).join('. ')

export const usedSoFarText = (slip: { place: string; lines: readonly { label: string; value: string }[] }) =>
  `Wi-Fi at ${oneLine(slip.place)}. ${slip.lines.map(({ label, value }) => `${label}: ${oneLine(value)}`).join('. ')}`
