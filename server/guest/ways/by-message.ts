// By message: an address of the guest, to which a code is sent. Whether the address is known is never revealed: a known one and
// an unknown one get the same answer.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { authMethods } from '#contract/portals.ts'
import type { CodeStep } from '#portal/design.ts'
import type { Refusal } from '#portal/texts/en.ts'
import { callerOfGateway } from '#server/access/principal.ts'
import { Refused } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { KnownGateway } from '#server/guest/arrivals.ts'
import {
  channels,
  claim,
  codeTyped,
  confirm,
  confirmedBy,
  confirmedOn,
  makeCode,
  masked,
  waitingOn,
  type CodeChannel,
  type WaitingGuest,
} from '#server/guest/confirmations.ts'
import { NoMoreMessages } from '#server/guest/refusals.ts'
import type { Services } from '#server/services.ts'
import { allowed, refuse, type Found, type WayServices, type Tried, type Way } from './way.ts'

/** The content of a message. */
export interface Message {
  address: string
  code: string
  /** For a link that any browser may open. */
  token: string
  /** Where the guest is. */
  place: string
  life_s: number
}

export interface Sender {
  channel: CodeChannel
  /** The refusal if what was typed is not an address. */
  wrong: Refusal
  /** How long link and code are valid. */
  life_s: number
  /** How long a guest may be online at first, to be able to read the message. */
  grace_s: number
  read: (typed: string, country: string | null) => string | null
  send: (scope: Scope, needs: WayServices, tried: Tried, message: Message) => Promise<void>
}

/** Nobody is sent another message sooner: the first is on its way. */
const resend_after_s = 60

export function byMessage(sender: Sender): Way {
  const { channel, grace_s } = sender
  const field = channels[channel]

  async function begin(scope: Scope, needs: WayServices, tried: Tried): Promise<Found> {
    const { gateway, guest, method, fields } = tried
    const typed = fields[field]?.trim() ?? ''
    if (typed === '') return { refused: 'incomplete' }
    const { property_id } = gateway
    const address = sender.read(typed, await countryOf(scope, property_id))
    if (address === null) return { refused: sender.wrong }
    const asked = { property_id, mac_address: guest.mac_address, channel, address }
    const known = await confirmedOn(scope, asked)
    if (known !== null) return allowed(scope, tried, { holder: { kind: 'guest', id: known }, identifier: address })
    const before = await waitingOn(scope, gateway, guest.mac_address)
    await claim(scope, { ...asked, auth_method_id: method, language: guest.language, grace_s })
    const waiting = await waitingOn(scope, gateway, guest.mac_address)
    if (!waiting) throw new Error('a guest waits')
    // A form that is sent twice sends one message.
    const isRepeated =
      before?.address === address && before.has_code && (before.sent_s_ago ?? Infinity) < resend_after_s
    if (!isRepeated) await send(scope, needs, tried, waiting)
    const { guest_id } = waiting
    return waiting.grace_s > 0
      ? { holder: { kind: 'guest', id: guest_id } }
      : { waits: stepOf(waiting, true), guest_id }
  }

  async function send(scope: Scope, needs: WayServices, tried: Tried, waiting: WaitingGuest) {
    const { gateway, guest } = tried
    const { address } = waiting
    const { life_s } = sender
    const made = await makeCode(scope, needs.fingerprint, { gateway, mac_address: guest.mac_address, waiting, life_s })
    try {
      await sender.send(scope, needs, tried, { ...made, address, place: gateway.property_name, life_s })
    } catch (error) {
      throw error instanceof Refused && error.status === 429 ? new NoMoreMessages(address) : error
    }
  }

  async function again(scope: Scope, needs: WayServices, tried: Tried, waiting: WaitingGuest): Promise<Found> {
    const { guest_id } = waiting
    if ((waiting.sent_s_ago ?? Infinity) < resend_after_s)
      return { waits: { ...stepOf(waiting, true), refused: 'wait' }, guest_id }
    await send(scope, needs, tried, waiting)
    return { waits: stepOf(waiting, true), guest_id }
  }

  /** A code that was right a moment ago is right. */
  async function isRepeated(scope: Scope, { fingerprint }: WayServices, tried: Tried): Promise<Found | null> {
    const { gateway, guest, fields } = tried
    const asked = { property_id: gateway.property_id, mac_address: guest.mac_address, channel }
    const id = await confirmedBy(scope, fingerprint, { ...asked, typed: fields['code'] ?? '' })
    return id === null ? null : allowed(scope, tried, { holder: { kind: 'guest', id }, identifier: `guest ${id}` })
  }

  async function typed(scope: Scope, needs: WayServices, tried: Tried, waiting: WaitingGuest): Promise<Found> {
    const { guest_id, address } = waiting
    const { fingerprint } = needs
    const outcome = await codeTyped(scope, fingerprint, { guest_id, typed: tried.fields['code'] ?? '' })
    if ('refused' in outcome) {
      const repeated = outcome.refused === 'code_over' ? await isRepeated(scope, needs, tried) : null
      if (repeated) return repeated
      await refuse(scope, tried, { identifier: address, reason: 'wrong_password' })
      return { waits: { ...stepOf(waiting, true), refused: outcome.refused }, guest_id }
    }
    const id = await confirm(scope, { guest_id, code_id: outcome.code_id })
    if (id === null)
      return (
        (await isRepeated(scope, needs, tried)) ?? {
          waits: { ...stepOf(waiting, true), refused: 'code_over' },
          guest_id,
        }
      )
    return allowed(scope, tried, { holder: { kind: 'guest', id }, identifier: address })
  }

  return {
    chosenBy: field,
    shownAgain: [field],
    async find(scope, _seal, tried, needs) {
      const { fields, gateway, guest } = tried
      const asksAgain = fields['again'] !== undefined
      if (!asksAgain && fields['code'] === undefined) return begin(scope, needs, tried)
      const waiting = await waitingOn(scope, gateway, guest.mac_address)
      if (waiting?.channel !== channel)
        return (asksAgain ? null : await isRepeated(scope, needs, tried)) ?? { refused: 'code_over' }
      return asksAgain ? again(scope, needs, tried, waiting) : typed(scope, needs, tried, waiting)
    },
  }
}

async function countryOf(scope: Scope, property_id: number): Promise<string | null> {
  const [place] = await scope.run(sql<ColumnsOf<'countries', 'code'>>`
    select l.code from properties as t join customers as c on c.id = t.customer_id
    join countries as l on l.id = coalesce(t.country_id, c.country_id)
    where t.id = ${property_id} and ${scope.inReach('properties', 't')}`)
  return place?.code ?? null
}

/** The step that asks a waiting guest for the code. */
export const stepOf = ({ channel, address, auth_method_id, grace_s }: WaitingGuest, agreed: boolean): CodeStep => ({
  name: 'code',
  channel,
  address: masked(address),
  method: auth_method_id,
  seconds_online: grace_s > 0 ? grace_s : null,
  agreed,
})

/** For a guest who comes back to the page and was sent a code that is still valid: it is asked for first. */
export async function waitingStep(
  { tenancy }: Pick<Services, 'tenancy'>,
  gateway: KnownGateway,
  mac_address: string,
): Promise<CodeStep | null> {
  if (![authMethods.email, authMethods.sms].some((method) => gateway.auth_method_ids.includes(method))) return null
  const waiting = await tenancy.enter(callerOfGateway(gateway), 'read', (scope) =>
    waitingOn(scope, gateway, mac_address),
  )
  if (!waiting?.has_code || !gateway.auth_method_ids.includes(waiting.auth_method_id)) return null
  return stepOf(waiting, waiting.agreed)
}
