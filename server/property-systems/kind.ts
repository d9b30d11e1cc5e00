// Kind: what Foyer has to know of a property's system: its definition, and how its stays come in.
import type { Socket } from 'node:net'
import type { Setting, Settings } from '#contract/parameters.ts'
import type { ToldGuest, ToldStay, Word } from '#server/stays/words.ts'
import type { SafeFetch } from '#server/outbound/safe-fetch.ts'
import type { Definition } from './definition.ts'

/** A system that posts what happens. */
export interface Hook {
  /** Whether this was sent by who knows the secret. `headers` in lower case. */
  isGenuine(body: Buffer, headers: Readonly<Record<string, string | undefined>>, settings: Settings): boolean
  /** The id by which a message counts once. */
  messageId(headers: Readonly<Record<string, string | undefined>>): string
  /** What is wrong with it as a field and a sentence, or what it says. */
  read(body: unknown): { words: Word[] } | { errors: Record<string, string[]> }
}

/** What a link tells of itself. */
export interface LinkHost {
  /** Whether all stays are to be asked for. */
  wantsAll(): Promise<boolean>
  /** The other side has linked up. */
  up(): Promise<void>
  /** It has answered. */
  alive(): Promise<void>
  /** Done when the words are written. */
  hear(words: Word[]): Promise<void>
}
/** Speaks the protocol until the connection ends. Throws `NotReached` with what was wrong with the other side. */
export type Talk = (socket: Socket, settings: Settings, host: LinkHost) => Promise<void>

/** A system that puts lists of all stays into the interface's inbox. */
export interface FileSystem {
  /** @param known what the system has told before, of those who are in house */
  stays(rooms: readonly ListedRoom[], known: readonly KnownStay[]): ListedStay[]
}
export interface ListedRoom {
  number: string
  guests: readonly ListedGuest[]
}
export interface ListedGuest extends ToldGuest {
  /** The number of the reservation, where the list has one. */
  external_reference: string | null
  arrives_on: string | null
  departs_on: string | null
}
export interface KnownStay {
  stay_key: string
  room: string
}
export type ListedStay = ToldStay & { stay_key: string }

/** A system that is asked for all stays again and again. */
export interface AskedSystem {
  every_s: number
  /** Throws `NotReached` with what was wrong with the other side. `reference`: what it calls the property. */
  ask(asked: { fetch: SafeFetch; host: string; settings: Settings; reference: string }): Promise<ListedStay[]>
}

export interface PropertySystem {
  definition: Definition
  /** A connection over TCP that is kept; null: there is none. */
  talk: Talk | null
  hook: Hook | null
  files?: FileSystem
  asks?: AskedSystem
  /** It can be asked for all stays at any time. */
  asksForAll?: boolean
  /** What is wrong with settings, and with secrets that are given, by their keys. */
  refuses?: (given: Readonly<Record<string, Setting | null>>) => Record<string, string> | null
}
