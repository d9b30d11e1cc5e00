// Mail templates: the mails that the product sends. Plain sentences; what a person typed is never more than text.
import type { Language } from '#contract/languages.ts'
import { toGuestsIn } from '#catalogue/spoken.ts'
import type { Sort } from '#server/deliveries/undelivered.ts'

export interface Mail extends Sort {
  recipient_name: string
  recipient_email: string
  subject: string
  text: string
  /** Where it belongs, if its record does not say so: it does not leave once that is removed. */
  property_id?: number | null
  /** A mail with a key is stored once, and recognised by the key if it arrives twice. */
  message_key?: string | null
  /** The attached file. */
  file_id?: number | null
  /** The link with which the recipient unsubscribes from mails of this kind. */
  stop_url?: string | null
  /** How long a link or code in it is valid: after that it is not sent any more. */
  good_for_s?: number
}

/**
 * What somebody typed, such as the name of a guest or of a package, as one line in which no mail program finds a web address:
 * `casino.example` becomes `casino. example`.
 */
export const oneLine = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/:\/\//g, ': //')
    .replace(/(?<=\S)\.(?=\p{L})/gu, '. ')
    .trim()

const minute_s = 60
const day_s = 24 * 60 * minute_s

export const invitation = (
  to: { id: number; name: string; email: string },
  from: { inviter: string; owner: string; link: string },
): Mail => ({
  kind: 'invitation',
  about_id: to.id,
  good_for_s: 7 * day_s,
  recipient_name: to.name,
  recipient_email: to.email,
  subject: oneLine(`You are invited to ${from.owner} on Foyer`),
  text: `Hello ${oneLine(to.name)},

${oneLine(from.inviter)} has invited you to look after the guest Wi-Fi of ${oneLine(from.owner)} on Foyer.

Open this link to accept. It works once, for 7 days:
${from.link}

If you did not expect this, you can ignore this mail; nothing will happen.
`,
})

export const passwordReset = (to: { name: string; email: string }, link: string): Mail => ({
  kind: 'password_reset',
  good_for_s: 30 * minute_s,
  recipient_name: to.name,
  recipient_email: to.email,
  subject: 'Set a new password for Foyer',
  text: `Hello ${oneLine(to.name)},

Someone, probably you, asked to set a new password for ${to.email}.

Open this link to choose one. It works once, for 30 minutes:
${link}

If it was not you, you can ignore this mail; your password stays the same.
`,
})

export const addressToConfirm = (to: { name: string; email: string; customer_name: string }, link: string): Mail => ({
  kind: 'address_confirmation',
  good_for_s: 7 * day_s,
  recipient_name: to.name,
  recipient_email: to.email,
  subject: 'Confirm your address for Foyer',
  text: `Hello ${oneLine(to.name)},

Somebody, probably you, has signed up to Foyer as ${oneLine(to.customer_name)}, with ${to.email}.

Open this link to confirm that this address is yours. It works for 7 days:
${link}

Until then everything works except mails to other people, which wait. If it was not you, the same page removes your address, and
nothing more is sent to it.
`,
})

export const newSignIn = (
  to: { name: string; email: string },
  from: { device: string; ip: string; at: Date; link: string },
): Mail => ({
  kind: 'sign_in_notice',
  recipient_name: to.name,
  recipient_email: to.email,
  subject: 'A new sign-in to Foyer',
  text: `Hello ${oneLine(to.name)},

Somebody has signed in to Foyer as ${to.email} on a device that you have not used before:

Device:  ${oneLine(from.device)}
Address: ${from.ip}
Time:    ${from.at.toISOString().slice(0, 16).replace('T', ' ')} UTC

If it was you, there is nothing to do. If not, choose another password now, which ends every session of yours:
${from.link}
`,
})

const changed = {
  password: 'Your password has been changed. Every other session of yours has been ended.',
  second_factor_on: 'A second factor has been set up: from now on each sign-in asks for a code from your app.',
  second_factor_off: 'The second factor has been removed: a sign-in asks for the password alone.',
  second_factor_lost:
    'The people who run Foyer for you have removed your second factor, and you have been signed out everywhere. A sign-in asks for ' +
    'the password alone: set up another one in your profile.',
  recovery_codes: 'New recovery codes have been made. The former ones no longer work.',
}
export type SignInChange = keyof typeof changed

export const signInChanged = (to: { name: string; email: string }, change: SignInChange, link: string): Mail => ({
  kind: 'sign_in_notice',
  recipient_name: to.name,
  recipient_email: to.email,
  subject: 'Your sign-in to Foyer has changed',
  text: `Hello ${oneLine(to.name)},

${changed[change]}

If it was you, there is nothing to do. If not, choose another password now, and tell whoever runs Foyer for you:
${link}
`,
})

/** What the customer's editors are told when somebody has given away reach or data. */
export const givenAway = (
  to: { name: string; email: string },
  done: {
    what: string
    by: { name: string; email: string | null; ip: string | null; at: Date }
    company: string
    link: string
  },
): Mail => ({
  kind: 'sign_in_notice',
  recipient_name: to.name,
  recipient_email: to.email,
  subject: oneLine(`Access or data was shared at ${done.company}`),
  text: `Hello ${oneLine(to.name)},

${oneLine(done.what)}

By:      ${oneLine(done.by.name)}${done.by.email === null ? '' : ` <${done.by.email}>`}
Address: ${done.by.ip ?? 'unknown'}
Time:    ${done.by.at.toISOString().slice(0, 16).replace('T', ' ')} UTC

If this was intended, there is nothing to do. If not, undo it, and have the person whose session it was choose another password,
which ends all of theirs. The activity log says what else was done:
${done.link}
`,
})

/** The guest's sign-in; `until` in the property's own time. */
export const guestSignIn = (
  to: { id: number; name: string; email: string },
  guest: { place: string; username: string; password: string; until: string | null },
): Mail => ({
  kind: 'guest_sign_in',
  about_id: to.id,
  recipient_name: to.name,
  recipient_email: to.email,
  subject: oneLine(`Your Wi-Fi at ${guest.place}`),
  text: `Hello ${oneLine(to.name)},

Here is your Wi-Fi at ${oneLine(guest.place)}. Join the network, and when it asks you to sign in, type:

User name: ${guest.username}
Password:  ${guest.password}
${guest.until === null ? '' : `\nIt works until ${guest.until}.\n`}
If it does not work, please ask at the desk.
`,
})

/** How to sign in, as shown at the desk, for a guest to read again later. */
type Rows = readonly { label: string; value: string }[]
const linesOf = (rows: Rows) => rows.map(({ label, value }) => `${oneLine(label)}: ${oneLine(value)}`).join('\n')

export function howToSignIn(
  to: { name: string; email: string },
  guest: { place: string; network: string | null; page: string | null; rows: Rows },
  language?: Language,
): Mail {
  const say = toGuestsIn(language)
  const place = oneLine(guest.place)
  const join =
    guest.network === null
      ? say('mail.sign-in-network', { place })
      : say('mail.sign-in', { place, network: oneLine(guest.network) })
  return {
    kind: 'how_to_sign_in',
    recipient_name: to.name,
    recipient_email: to.email,
    subject: oneLine(say('mail.sign-in-subject', { place })),
    text: `${join}

${linesOf(guest.rows)}
${guest.page === null ? '' : `\n${say('mail.page', { page: guest.page })}\n`}
${say('mail.ask')}
`,
  }
}

export function usedSoFar(
  to: { name: string; email: string },
  slip: { place: string; lines: Rows },
  language?: Language,
): Mail {
  const say = toGuestsIn(language)
  const place = oneLine(slip.place)
  return {
    kind: 'other',
    recipient_name: to.name,
    recipient_email: to.email,
    subject: oneLine(say('mail.used-subject', { place })),
    text: `${say('mail.used', { place })}

${linesOf(slip.lines)}

${say('mail.ask-used')}
`,
  }
}

export const voucherCodes = (
  email: string,
  batch: {
    id: number
    place: string
    batch_number: string
    terms: string
    password: string | null
    /** Several guests use the same code. */
    shared: boolean
    codes: string[]
  },
): Mail => ({
  kind: 'voucher_codes',
  about_id: batch.id,
  recipient_name: email,
  recipient_email: email,
  subject: oneLine(
    `Wi-Fi ${batch.codes.length === 1 ? 'code' : 'codes'} for ${batch.place}, batch ${batch.batch_number}`,
  ),
  text: `Wi-Fi at ${oneLine(batch.place)}: ${oneLine(batch.terms)}.
Join the network and enter ${whichOf(batch)}.
${batch.password === null ? '' : `${batch.password}.\n`}
${batch.codes.join('\n')}

Batch ${batch.batch_number}
`,
})

const whichOf = ({ codes, shared }: { codes: string[]; shared: boolean }) =>
  codes.length === 1 ? 'this code' : `one of these codes; each is good for ${shared ? 'several guests' : 'one guest'}`

interface OutageAt {
  property: string
  sentence: string
  since: string
  until: string | null
  time_zone: string
}
/** In the time of the property. */
const clockAt = (at: string, zone: string) =>
  new Date(at).toLocaleString('en-GB', { timeZone: zone, dateStyle: 'medium', timeStyle: 'short' })
const several = (all: readonly OutageAt[]) => (all.length === 1 ? (all[0]?.property ?? '') : `${all.length} properties`)

/** Guests of these properties cannot get online. */
export const outageBegan = (to: { name: string; email: string }, all: readonly OutageAt[], link: string): Mail => ({
  kind: 'other',
  recipient_name: to.name,
  recipient_email: to.email,
  subject: oneLine(`Guests cannot get online: ${several(all)}`),
  text: `Hello ${oneLine(to.name)},

${all
  .map(
    ({ property, sentence, since, time_zone }) =>
      `${oneLine(property)}, since ${clockAt(since, time_zone)}:\n${oneLine(sentence)}`,
  )
  .join('\n\n')}

Everything we know about it:
${link}

You will get one more mail when it is over. You can turn these mails off in your profile.
`,
})

/** Guests of these properties have been able to get online again for half an hour. */
export const outageOver = (to: { name: string; email: string }, all: readonly OutageAt[], link: string): Mail => ({
  kind: 'other',
  recipient_name: to.name,
  recipient_email: to.email,
  subject: oneLine(`Guests can get online again: ${several(all)}`),
  text: `Hello ${oneLine(to.name)},

${all
  .map(
    ({ property, since, until, time_zone }) =>
      `${oneLine(property)}: from ${clockAt(since, time_zone)} until ${until === null ? 'now' : clockAt(until, time_zone)}.`,
  )
  .join('\n')}

${link}
`,
})
