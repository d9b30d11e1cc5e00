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

/** Places whose names stand in a message; the mail and the dashboard have the others. */
const named_max = 3
const named = (places: readonly string[]) =>
  [
    ...places.slice(0, named_max).map(oneLine),
    ...(places.length > named_max ? [`${places.length - named_max} more`] : []),
  ].join(', ')

/** Guests of these properties cannot get online. */
export const outageBeganText = (places: readonly string[], link: string) =>
  `Guests cannot get online: ${named(places)}. ${link}`
/** They have been able to again for half an hour. */
export const outageOverText = (places: readonly string[]) => `Guests can get online again: ${named(places)}.`

export const usedSoFarText = (slip: { title: string; lines: readonly { label: string; value: string }[] }) =>
  `${oneLine(slip.title)}. ${slip.lines.map(({ label, value }) => `${label}: ${oneLine(value)}`).join('. ')}`
