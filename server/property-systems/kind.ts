// Kind: what Foyer has to know of a property's system: its definition, and how its stays come in.
import type { Socket } from 'node:net'
import type { Setting, Settings } from '#contract/parameters.ts'
import type { ReportedGuest, ReportedStay, StayUpdate } from '#server/stays/stay-updates.ts'
import type { Ask, Consent } from '#server/connections/provider.ts'
import type { Config } from '#server/start/config.ts'
import type { SafeFetch } from '#server/outbound/safe-fetch.ts'
import type { PropertySystemDefinition } from './definition.ts'

/** A system that posts what happens. */
export interface Hook {
  /** Whether the sender knows the secret. `headers` in lower case. */
  isGenuine(body: Buffer, headers: Readonly<Record<string, string | undefined>>, settings: Settings): boolean
  /** The id by which a message counts once. */
  messageId(headers: Readonly<Record<string, string | undefined>>): string
  /** The updates of a message, or what is wrong with its fields, as sentences. */
  read(body: unknown): { updates: StayUpdate[] } | { errors: Record<string, string[]> }
}

/** What a link calls to report its state and its updates. */
export interface LinkHost {
  /** Whether a snapshot is to be requested. Never throws: the link asks again and again. */
  wantsAll(): Promise<boolean>
  /** The time of the newest stored update, in milliseconds since 1970; 0: there is none. */
  lastUpdateAt(): Promise<number>
  /** Whether this key may be sent. One that was sent and not taken may not be sent again. */
  maySendKey(key: string): Promise<boolean>
  /** The next room whose guests a portal wants to know; null: there is none. Never throws, as above. */
  nextInquiry(): Promise<string | null>
  /** The other side has linked up. */
  up(): Promise<void>
  /** It has answered. */
  alive(): Promise<void>
  /**
   * What a person should look into although updates are applied, as a sentence; it stands until a snapshot is applied without it.
   * Null: such a snapshot begins.
   */
  doubt(sentence: string | null): void
  /** Resolves when the updates are written. */
  receive(updates: StayUpdate[]): Promise<void>
}
/** Speaks the protocol until the connection ends. Throws `NotReached` with what was wrong with the other side. */
export type Talk = (socket: Socket, settings: Settings, host: LinkHost) => Promise<void>

/** A system that puts lists of all stays into the interface's inbox. */
export interface FileSystem {
  stays(rooms: readonly ListedRoom[], known: readonly KnownStay[]): ListedStay[]
}
export interface ListedRoom {
  number: string
  guests: readonly ListedGuest[]
}
export interface ListedGuest extends ReportedGuest {
  /** The number of the reservation, where the list has one. */
  external_reference: string | null
  arrives_on: string | null
  departs_on: string | null
}
/** A stay that the system has reported before. */
export interface KnownStay {
  stay_key: string
  room: string
  guests: readonly Pick<ReportedGuest, 'last_name' | 'first_name'>[]
  in_house: boolean
}
export type ListedStay = ReportedStay & {
  stay_key: string
  /** The guests are in house by now, whatever their day of arrival. */
  arrived?: boolean
}
/** One room of a reservation. */
export type BookedRoom = Omit<ListedStay, 'stay_key'>
/** The rooms of each reservation, by its number. */
export type Bookings = ReadonlyMap<string, readonly BookedRoom[]>

/** Fields of an interface's property that a poll needs. */
export interface PolledProperty {
  mri_enabled: boolean
  /** Guests who move in get a message. */
  mri_communication: boolean
  /** The system's own id of the property. */
  external_reference: string | null
  time_zone: string
}
/** Where systems of the cloud are, and what this installation is to them. */
export type Origins = Config['systems']

export interface PollRequest {
  fetch: SafeFetch
  origins: Origins
  /** Calls by the consent that somebody has given; null: nobody has. It throws `ProviderFailure`. */
  consented: Ask | null
  /** Somebody could give one: this installation has a client there. */
  can_consent: boolean
  /** The host with its port, where one was given. */
  host: string | null
  settings: Settings
  property: PolledProperty
  /** Only changes since this moment of the system's clock are wanted; null: all stays. A system that cannot filter answers all. */
  since: Date | null
  /** The stays that it has reported so far. */
  known: () => Promise<readonly KnownStay[]>
}
/** A stay that has changed; null: it is not in house, or no longer. */
export interface ChangedStay {
  stay_key: string
  at: Date
  fields: Omit<ListedStay, 'stay_key'> | null
}
/** All stays, by their keys or by reservations, or what has changed. `at`: by the system's own clock. */
export type PollAnswer = { at: Date } & ({ stays: ListedStay[] } | { bookings: Bookings } | { changed: ChangedStay[] })

/** A system that is polled. */
export interface PolledSystem {
  every_s: number
  /** It posts unsigned hints that something has changed, on which it is polled. */
  hints: boolean
  /** Throws `NotReached` with what was wrong with the other side, `NotSetUp` with what a person has to enter. */
  poll(asked: PollRequest): Promise<PollAnswer>
}
/** Something that a person has to enter is missing. The message is a sentence. */
export class NotSetUp extends Error {
  override name = 'NotSetUp'
}

export interface PropertySystem {
  definition: PropertySystemDefinition
  /** How a person's consent is asked for; null: this installation has no client there. */
  consentOf?: (origins: Origins) => Consent | null
  /** A connection over TCP that is kept. */
  talk?: Talk
  hook?: Hook
  files?: FileSystem
  polling?: PolledSystem
  /** A snapshot can be requested at any time. */
  asksForAll?: boolean
  /** What is wrong with settings, and with secrets that are given, by their keys. */
  refuses?: (given: Readonly<Record<string, Setting | null>>) => Record<string, string> | null
}
