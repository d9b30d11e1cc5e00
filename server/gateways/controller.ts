// Controller: gateways that let a guest in when we call them, instead of the guest's browser: what a kind says about its controller,
// and the kit that each is called with: a few calls at once, one log-in for all of them, and nothing of what a stranger answers.
import { createHash } from 'node:crypto'
import { partOf } from '#contract/keys.ts'
import type { Settings } from '#contract/parameters.ts'
import type { Attribute } from '#server/radius-codec/packet.ts'
import {
  NotReached,
  NotTrusted,
  type OutgoingAnswer,
  type OutgoingCall,
  type SafeFetch,
} from '#server/outbound/safe-fetch.ts'
import { atOnce, Turns } from '#server/turns/turns.ts'

/** What is registered of a controller, with its secrets. */
export interface RegisteredController {
  customer_id: number
  gateway_id: number
  username: string | null
  password: string | null
  settings: Settings
}

export interface CalledGuest {
  mac_address: string
  /** The guest's pass, for a controller that asks RADIUS about it. */
  pass: { username: string; password: string }
  /** What of the redirect the controller is told again. */
  sent: Readonly<Record<string, string>>
  /** When the guest was let in here: what was granted before is no answer. */
  since: Date
}

/** What a guest is let in with. Null: no limit. */
export interface Granted {
  seconds: number
  bytes: number | null
  /** Down, and as much up. */
  speed_mbps: number | null
}

/** What a controller has counted of a guest. */
export interface CountedGuest {
  mac_address: string
  /** Null: it does not say. */
  bytes_up: number | null
  bytes_down: number | null
  /** False: what was granted is over. */
  is_in: boolean
  /** When its count began, by its clock, where it begins anew each time that the guest is let in. */
  began?: number
}

/** One that we are signed in to. All of it throws `Trouble` alone. */
export interface Controller {
  letIn(guest: CalledGuest, granted: Granted): Promise<void>
  /** Whether it has let the guest in: asked where the answer was lost. */
  isIn(guest: CalledGuest): Promise<boolean>
  /** Gives a guest who is in other limits, from now on. Absent: the guest has them after signing in again. */
  change?(guest: Pick<CalledGuest, 'mac_address' | 'sent'>, granted: Granted): Promise<void>
  end(mac_address: string): Promise<void>
  /** All guests of the site, in one call. */
  counted(): Promise<CountedGuest[]>
  /** The boxes that it says it has. */
  accessPoints(): Promise<{ mac_address: string; name: string | null }[]>
}

export type OpenController = (access: RegisteredController, line: ControllerLine) => Controller

/** How a kind is called. */
export interface Called {
  open: OpenController
  /** Whether what is registered makes it one that is called. */
  isCalled(settings: Settings): boolean
  /** It asks RADIUS about the pass that it is told, and reports by it: the session is as that of a guest who brings the pass. */
  asks_radius?: true
  /** It does not say who is in: sessions are taken for open until the granted time is over. */
  is_silent?: true
}

interface How {
  /** Everybody's: others would have it, too. By default it is this guest's alone. */
  of?: 'controller' | 'guest'
  /** Whether it is certain that nobody was let in or out by the call. */
  is_sure?: boolean
  /** Asking again would be refused again. */
  is_final?: boolean
  wait_s?: number
  fingerprint?: string
}
/** Why a controller could not be used, in a sentence for people that says what helps. */
export class Trouble extends Error {
  override name = 'Trouble'
  readonly how: How
  constructor(message: string, how: How = {}) {
    super(message)
    this.how = how
  }
}

export const calls_at_once_max = 4
const timeout_ms = 8000
const answer_bytes_max = 4 * 1024 * 1024
/** A log-in that was refused is not tried again at once: controllers lock out who tries too often. */
const refused_for_ms = 60_000

/** Tells a box something by RADIUS (RFC 5176). `gone`: it has no such session; `unknown`: it is not known where it is. */
export type Tell = (
  box: Pick<RegisteredController, 'customer_id' | 'gateway_id'>,
  attributes: Attribute[],
) => Promise<'agreed' | 'gone' | 'refused' | 'silent' | 'unknown'>

/** What a controller is called by: all of one customer's calls to one address. */
export interface ControllerLine {
  /** @throws {Trouble} where nothing was answered */
  call(url: string, call?: OutgoingCall): Promise<OutgoingAnswer>
  tell: Tell
  /** Log-ins by who signs in. */
  logins: Map<string, ControllerLogin>
}

export function openLine(safeFetch: SafeFetch, tell: Tell, fingerprint: string | null): ControllerLine {
  const turns = new Turns(atOnce(calls_at_once_max))
  return {
    logins: new Map(),
    async tell(box, attributes) {
      using _turn = await turns.take('controller')
      return await tell(box, attributes)
    },
    async call(url, call = {}) {
      using _turn = await turns.take('controller')
      try {
        const limits = { timeout_ms, answer_bytes_max, as_is: true, pinned: fingerprint }
        return await safeFetch(url, { ...call, ...limits })
      } catch (error) {
        if (error instanceof NotTrusted)
          throw new Trouble(
            `${error.message}: ${error.fingerprint}. Compare it with the controller’s own, and accept it on the gateway’s page.`,
            { of: 'controller', is_sure: true, fingerprint: error.fingerprint },
          )
        if (error instanceof NotReached)
          throw new Trouble(`The controller cannot be used: ${error.message}.`, { of: 'controller' })
        throw error
      }
    },
  }
}

/** What a log-in at a controller gives. */
export interface ControllerSession {
  /** What its paths begin with. */
  base: string
  headers: Record<string, string>
}

/** What is signed in, once for all that need it. */
export class ControllerLogin {
  #present: Promise<ControllerSession> | null = null
  #refused: { error: Trouble; until: number } | null = null

  of(open: () => Promise<ControllerSession>): Promise<ControllerSession> {
    if (this.#refused && this.#refused.until > Date.now()) return Promise.reject(this.#refused.error)
    this.#present ??= open().catch((error: unknown) => {
      this.#present = null
      // Where the controller was not reached, the next call is a new try.
      if (error instanceof Trouble && error.how.is_final) this.#refused = { error, until: Date.now() + refused_for_ms }
      throw error
    })
    return this.#present
  }

  /** It is no longer good. Who signed in meanwhile stays so. */
  async forget(session: ControllerSession) {
    const present = await this.#present?.catch(() => null)
    if (present === session) this.#present = null
  }
}

/** The log-in that all share who sign in as the same. */
export function loginOf(line: ControllerLine, ...who: unknown[]): ControllerLogin {
  const key = createHash('sha256').update(JSON.stringify(who)).digest('hex')
  const known = line.logins.get(key) ?? new ControllerLogin()
  line.logins.set(key, known)
  return known
}

/** Of what a controller said; null: it did not. */
export function fieldText(of: unknown, name: string): string | null {
  const value = partOf(of, name)
  return typeof value === 'string' ? value : null
}

/** Of an answer that is not the protocol's, only its kind and length are told: it may be anybody's page. */
export function saidIn({ status, headers, body }: OutgoingAnswer): object {
  let said: unknown = null
  try {
    said = JSON.parse(body.toString('utf8'))
  } catch {
    // Told below.
  }
  if (typeof said === 'object' && said !== null) return said
  const [kind = 'no kind'] = /^[\w.+-]+\/[\w.+-]+/.exec(headers['content-type'] ?? '') ?? []
  throw new Trouble(
    `The controller’s address answered ${status} with ${kind}, ${body.length} bytes, which is not an answer of a controller. ` +
      'Check its address and port.',
    { of: 'controller' },
  )
}
/** Where it can be no list. */
export const jsonIn = (answer: OutgoingAnswer) => saidIn(answer) as Record<string, unknown>

/** Before anything was asked of the controller. */
export async function surely<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw error instanceof Trouble ? new Trouble(error.message, { ...error.how, is_sure: true }) : error
  }
}

/** What is registered of it is not what it wants: asking again would be refused again. */
export const wrong = (message: string) => new Trouble(message, { of: 'controller', is_sure: true, is_final: true })

/** The cookies that an answer sets, as a request returns them. */
export const cookiesIn = ({ headers }: OutgoingAnswer) =>
  (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';', 1)[0]).join('; ')

/** The text of a setting; null where it is empty or another thing. */
export function settingText(settings: Settings, key: string): string | null {
  const value = settings[key]
  return typeof value === 'string' && value !== '' ? value : null
}

/** Its address, without what stands behind the host. */
export function originIn(settings: Settings): string {
  const address = settingText(settings, 'controller_url')
  if (address === null || !URL.canParse(address))
    throw new Trouble('The address of the controller is missing. Enter it on the gateway’s page.', {
      of: 'controller',
      is_sure: true,
      is_final: true,
    })
  return new URL(address).origin
}
