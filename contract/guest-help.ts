// Guest help: why a guest cannot get online, asked at the desk while they stand there, and what would help.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { macAddress } from './mac-address.ts'
import { count, day, email, moment, named, ref, text } from './shapes.ts'
import { SignInAttemptRow } from './sign-in-attempts.ts'

const { desk, read } = callsOf('guest_help')

/**
 * What somebody gets online with. `stay`: a guest of a room. `guest`: somebody known from a portal alone. `attempt`: a
 * sign-in that belongs to nobody we know, by the id of the attempt.
 */
export const kinds = ['account', 'stay', 'voucher', 'device', 'guest', 'attempt'] as const
export type Kind = (typeof kinds)[number]
const kind = z.enum(kinds)
/** Those that have an allowance and devices of their own. */
export const holderKinds = ['account', 'voucher', 'device', 'guest'] as const

const rowId = z.int().min(1)
const subject = { kind, id: rowId }

export const Candidate = z
  .object({
    ...subject,
    /** A name, or a code; of a code, those who hand none out see its end. */
    name: z.string(),
    /** What tells two of a name apart: a user name, an e-mail address, a batch. */
    detail: z.string().nullable(),
    property: named.nullable(),
    room: z.string().nullable(),
    online: z.boolean(),
    /** What stands against it in a word or two; null where nothing shows at once. */
    problem: z.string().nullable(),
    /** It is only similar to what was typed. */
    similar: z.boolean(),
  })
  .meta({ id: 'GuestHelpCandidate' })
export type Candidate = z.output<typeof Candidate>

/** By a code, a name, a user name, a room, an e-mail address, a phone number or a MAC, however it is written. */
export const search = read(
  '/guest-help',
  z.object({ search: text(100), property_id: ref('properties').nullish() }),
  z.object({
    candidates: z.array(Candidate),
    /** Where nobody was found: what is known all the same. */
    note: z.string().nullable(),
  }),
)

/** A call that would help, with everything that it takes. */
export const Fix = z
  .object({
    /** What the button says. */
    label: z.string(),
    /** The path of the call, and what to send; fields in braces are among them. Null: it is not for the caller to do. */
    call: z.string().nullable(),
    ask: z.record(z.string(), z.unknown()),
    /** What is said when it is done. */
    done: z.string(),
    /** What is lost by it, to be agreed to before. */
    confirm: z.string().nullable(),
    /** The same call takes it back with this. */
    undo: z.record(z.string(), z.unknown()).nullable(),
    /** Where it is not for the caller to do: who can. */
    who: z.string().nullable(),
    /** The gateway whose page says how. */
    gateway: named.nullable(),
  })
  .meta({ id: 'GuestHelpFix' })
export type Fix = z.output<typeof Fix>

export const Against = z.object({
  /** One word of a fixed list: those of sign-in attempts, and those of gateways. */
  reason: z.string(),
  /** The same as the desk says it. */
  message: z.string(),
})
export type Against = z.output<typeof Against>

export const Others = z.object({
  minutes: count,
  /** Devices that tried to sign in at the property, and those of them that were not let in once. */
  tried: count,
  failed: count,
  /** What concerns everybody there, in sentences; the first is the worst. */
  warnings: z.array(Against),
  /** What no gateway there enforces, in a sentence; null where all do. */
  unenforced: z.string().nullable(),
})

export const HelpSubject = z
  .object({
    ...subject,
    name: z.string(),
    detail: z.string().nullable(),
    property: named.nullable(),
    room: z.string().nullable(),
    package: z.string().nullable(),
    /** What stands against it now, the first to mend first. Empty: they can sign in. */
    against: z.array(Against),
    /** In one sentence: the first of them, or how it stands. */
    sentence: z.string(),
    fixes: z.array(Fix),
    /** Records that may be meant instead. */
    meant: z.array(Candidate),
    /** Of its package; null means no limit. */
    left: z
      .object({
        seconds: z.number().nullable(),
        bytes: z.number().nullable(),
        ends_at: moment.nullable(),
        devices: count,
        /** 0: as many as they like. */
        devices_max: count,
      })
      .nullable(),
    devices: z.array(
      z.object({
        mac_address: z.string(),
        /** The device made it up for this network, and may take another one. */
        randomised: z.boolean(),
        session_id: rowId.nullable(),
        seen_at: moment,
      }),
    ),
    /** The last ones, newest first. */
    attempts: z.array(SignInAttemptRow),
    others: Others.nullable(),
    /** Of a guest of a room, also of one who has left. */
    stay: z
      .object({
        id: rowId,
        room_id: rowId,
        arrives_on: day.nullable(),
        departs_on: day.nullable(),
        /** At the property. */
        today: day,
        /** Null while they are expected. */
        checked_in_at: moment.nullable(),
        checked_out: z.boolean(),
      })
      .nullable(),
    /** What the guest needs to get online; null where nothing is to be done. */
    tell: z
      .object({
        /** The Wi-Fi's name; null where nobody has said it. */
        network: z.string().nullable(),
        /** The address of the page that they sign in on. */
        page: z.string().nullable(),
        /** What to type there. */
        rows: z.array(z.object({ label: z.string(), value: z.string() })),
        /** Where it can be sent to. */
        email: z.string().nullable(),
      })
      .nullable(),
    /** Of a device: addresses that were refused at its property in the last hour, which may be its new one. */
    seen: z.array(z.object({ mac_address: z.string(), tried_at: moment })),
  })
  .meta({ id: 'GuestHelpSubject' })
export type HelpSubject = z.output<typeof HelpSubject>

/** `property_id`: where the guest is, for what is good in several. */
export const get = read(
  '/guest-help-subject',
  z.object({ ...subject, property_id: ref('properties').nullish() }),
  HelpSubject,
)

const holder = { kind: z.enum(holderKinds), id: rowId }
const Renewed = z.object({ seconds: z.number(), bytes: z.number() })
/** Gives the allowance of the present period once more, and begins a voucher's clock anew; answers what had been used. */
export const renew = desk('/guest-help-renew', z.object(holder), Renewed)
/** Frees the place of a device: its sessions are ended, and it signs in anew when it comes back. */
export const forgetDevice = desk(
  '/guest-help-forget-device',
  z.object({ ...holder, mac_address: macAddress }),
  z.object({ asked: count }),
)
/** Writes to the guest what `tell` has, to the given address. */
export const send = desk('/guest-help-send', z.object({ ...subject, email }), z.object({ email }))
/** The entry among the attempts that begins the count anew. */
export const LetTryAgain = z.object({ id: rowId })
/** Lets a device that was refused for trying too often try anew. */
export const letTryAgain = desk(
  '/guest-help-let-try-again',
  z.object({ property_id: ref('properties'), mac_address: macAddress }),
  LetTryAgain,
)
