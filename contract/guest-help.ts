// Guest help: why a guest cannot get online, asked at the desk while the guest waits, and what would help.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { macAddress } from './mac-address.ts'
import { count, day, email, moment, named, ref, text, timeOfDay } from './shapes.ts'
import { SignInAttemptRow } from './sign-in-attempts.ts'
import { StaySource } from './stays.ts'

const { desk, read } = callsOf('guest_help')

/**
 * What a guest signs in with. `stay`: a guest of a room. `guest`: a guest known only from a portal. `attempt`: a sign-in attempt of
 * nobody we know, by its id.
 */
export const kinds = ['account', 'stay', 'voucher', 'device', 'guest', 'attempt'] as const
export type Kind = (typeof kinds)[number]
const kind = z.enum(kinds)
/** Subjects that have an allowance and devices of their own. */
export const holderKinds = ['account', 'voucher', 'device', 'guest'] as const

const rowId = z.int().min(1)
const subject = { kind, id: rowId }

export const Candidate = z
  .object({
    ...subject,
    /** A name, or a code; callers who may not hand out codes see only its end. */
    name: z.string(),
    /** Distinguishes two of the same name: a user name, an e-mail address, a batch. */
    detail: z.string().nullable(),
    property: named.nullable(),
    room: z.string().nullable(),
    online: z.boolean(),
    /** What is wrong, in a word or two; null if nothing is visible at once. */
    problem: z.string().nullable(),
    /** A match that is only similar to what was typed. */
    similar: z.boolean(),
  })
  .meta({ id: 'GuestHelpCandidate' })
export type Candidate = z.output<typeof Candidate>

/** A call that would help, with its complete input. */
export const Fix = z
  .object({
    /** The label of the button. */
    label: z.string(),
    /** The path of the call, and what to send, including the fields in braces. Null: the caller may not do it. */
    call: z.string().nullable(),
    ask: z.record(z.string(), z.unknown()),
    /** The message after success. */
    done: z.string(),
    /** What is lost by it, to be confirmed first. */
    confirm: z.string().nullable(),
    /** The input with which the same call undoes it. */
    undo: z.record(z.string(), z.unknown()).nullable(),
    /** If the caller may not do it: who can. */
    who: z.string().nullable(),
    /** The gateway whose page explains how. */
    gateway: named.nullable(),
  })
  .meta({ id: 'GuestHelpFix' })
export type Fix = z.output<typeof Fix>

export const Against = z.object({
  /** One of a fixed list: the reasons of sign-in attempts, and those of gateways. */
  reason: z.string(),
  /** The same as a sentence for the desk. */
  message: z.string(),
})
export type Against = z.output<typeof Against>

export const Others = z.object({
  minutes: count,
  /** Devices that tried to sign in at the property, and those of them that never succeeded. */
  tried: count,
  failed: count,
  /** Problems that affect everybody there, as sentences; the worst first. */
  warnings: z.array(Against),
  /** Limits that no gateway there enforces, as a sentence; null if they enforce all. */
  unenforced: z.string().nullable(),
})

/** As gateways have reported it. */
export const Used = z.object({
  sessions: count,
  devices: count,
  /** Online; of devices that were online at once, each counts. */
  seconds: z.number(),
  /** As the guest sees them. */
  bytes_up: z.number(),
  bytes_down: z.number(),
})
export type Used = z.output<typeof Used>

export const HelpSubject = z
  .object({
    ...subject,
    name: z.string(),
    detail: z.string().nullable(),
    property: named.nullable(),
    room: z.string().nullable(),
    package: z.string().nullable(),
    /** What prevents it now, in the order in which to fix it. Empty: they can sign in. */
    against: z.array(Against),
    /** In one sentence: the first of them, or the present state. */
    sentence: z.string(),
    fixes: z.array(Fix),
    /** Other records that may be meant. */
    meant: z.array(Candidate),
    /** From its package; null means no limit. */
    left: z
      .object({
        seconds: z.number().nullable(),
        bytes: z.number().nullable(),
        ends_at: moment.nullable(),
        devices: count,
        /** 0: no limit. */
        devices_max: count,
      })
      .nullable(),
    /** By all guests of a stay together, since it began; by an account or a guest of the portal in the last 30 days. Null: never. */
    used: Used.nullable(),
    devices: z.array(
      z.object({
        mac_address: z.string(),
        /** The device made it up for this network, and may change it. */
        randomised: z.boolean(),
        session_id: rowId.nullable(),
        seen_at: moment,
      }),
    ),
    /** The latest, newest first. */
    attempts: z.array(SignInAttemptRow),
    others: Others.nullable(),
    /** For a guest of a room, including one who has left. */
    stay: z
      .object({
        id: rowId,
        room_id: rowId,
        arrives_on: day.nullable(),
        departs_on: day.nullable(),
        /** At the property. */
        today: day,
        /** As `/stays/{id}`. */
        stay_id: rowId.nullable(),
        until_time: timeOfDay.nullable(),
        /** Null while they are expected. */
        checked_in_at: moment.nullable(),
        checked_out: z.boolean(),
        ...StaySource.shape,
      })
      .nullable(),
    /** What the guest needs to get online; null if nothing is needed. */
    tell: z
      .object({
        /** The Wi-Fi's name; null if it is not set. */
        network: z.string().nullable(),
        /** The address of the sign-in page. */
        page: z.string().nullable(),
        /** What to type there. */
        rows: z.array(z.object({ label: z.string(), value: z.string() })),
        /** Where it can be sent. */
        email: z.string().nullable(),
      })
      .nullable(),
    /** For a device: addresses that were refused at its property in the last hour, one of which may be its new one. */
    seen: z.array(z.object({ mac_address: z.string(), tried_at: moment })),
  })
  .meta({ id: 'GuestHelpSubject' })
export type HelpSubject = z.output<typeof HelpSubject>

/** Those who travel together, of whom some have not left. */
export const FoundGroup = z.object({
  name: z.string(),
  guests: count,
  /** Those of them who are expected. */
  expected: count,
})

export const FoundRoom = z.object({ id: rowId, name: z.string(), vacant: z.boolean() })
export type FoundRoom = z.output<typeof FoundRoom>

/**
 * By a code, a name, a user name, a room, an e-mail address, a phone number or a MAC, however it is written; groups by their name.
 * `opens`: with the first of them as `/guest-help-subject` answers it, for a desk that shows them at once.
 */
export const search = read(
  '/guest-help',
  z.object({ search: text(100), property_id: ref('properties').nullish(), opens: z.boolean().optional() }),
  z.object({
    candidates: z.array(Candidate),
    /** If nobody was found: what is known nevertheless. */
    note: z.string().nullable(),
    /** At the property that was asked for. */
    groups: z.array(FoundGroup),
    /** The active room there whose number was given. It is meant itself while it is `vacant`, else whoever is in it. */
    room: FoundRoom.nullable(),
    opened: HelpSubject.nullable(),
  }),
)

/** `property_id`: where the guest is, for subjects that are valid at several properties. */
export const get = read(
  '/guest-help-subject',
  z.object({ ...subject, property_id: ref('properties').nullish() }),
  HelpSubject,
)

const holder = { kind: z.enum(holderKinds), id: rowId }
const Renewed = z.object({ seconds: z.number(), bytes: z.number() })
/** Grants the allowance of the present period once more, and restarts a voucher's clock; answers what had been used. */
export const renew = desk('/guest-help-renew', z.object(holder), Renewed)
/** Frees the slot of a device: ends its sessions, and it must sign in again when it comes back. */
export const forgetDevice = desk(
  '/guest-help-forget-device',
  z.object({ ...holder, mac_address: macAddress }),
  z.object({ asked: count }),
)
/** Sends the guest the contents of `tell`, to the given address. */
export const send = desk('/guest-help-send', z.object({ ...subject, email }), z.object({ email }))
/** The entry in the attempts that resets the count. */
export const LetTryAgain = z.object({ id: rowId })
/** Lets a device that was refused for too many attempts try again. */
export const letTryAgain = desk(
  '/guest-help-let-try-again',
  z.object({ property_id: ref('properties'), mac_address: macAddress }),
  LetTryAgain,
)
