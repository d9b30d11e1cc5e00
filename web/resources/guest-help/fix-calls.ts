// Fix calls: the calls that a fix may name, and the parts of their answers that are handed to the guest.
import * as accounts from '#contract/accounts.ts'
import * as devices from '#contract/devices.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import * as gateways from '#contract/gateways.ts'
import * as guestHelp from '#contract/guest-help.ts'
import type { Kind } from '#contract/guest-help.ts'
import { partOf } from '#contract/keys.ts'
import * as packages from '#contract/packages.ts'
import * as properties from '#contract/properties.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as batches from '#contract/voucher-batches.ts'
import * as vouchers from '#contract/vouchers.ts'
import { call } from '#web/kit/call/call.ts'
import { say } from '#web/words/desk.ts'

const calls = new Map(
  [
    accounts.activate,
    accounts.update,
    batches.activate,
    batches.create,
    devices.activate,
    devices.create,
    devices.update,
    gateways.activate,
    gateways.create,
    gateways.makeSecret,
    gateways.update,
    guestHelp.forgetDevice,
    guestHelp.letTryAgain,
    guestHelp.renew,
    packages.activate,
    properties.activate,
    roomGuests.checkIn,
    roomGuests.create,
    roomGuests.update,
    vouchers.activate,
  ].map((endpoint): [string, Endpoint] => [endpoint.path, endpoint]),
)
/** Undefined if this screen does not know the call, as after an update of the server. */
export const callAt = (path: string | null): Endpoint | undefined => (path === null ? undefined : calls.get(path))

/** What the guest, or the person who sets up a gateway, takes along. */
export interface Handed {
  title: string
  note: string
  rows: { label: string; value: string }[]
}
interface Made {
  handed?: Handed
  /** The record that represents the guest from now on. */
  subject?: { kind: Kind; id: number }
}

const textIn = (answer: unknown, name: string): string | undefined => {
  const value = partOf(answer, name)
  return typeof value === 'string' ? value : undefined
}
const idIn = (answer: unknown): number => {
  const value = partOf(answer, 'id')
  return typeof value === 'number' ? value : 0
}

interface Done {
  ask: Record<string, unknown>
  answer: unknown
  /** The name of the property. */
  place: string
}

export async function madeBy({ path }: Endpoint, { ask, answer, place }: Done): Promise<Made> {
  if (path === batches.create.path) {
    const { data } = await call(vouchers.list, { params: { voucher_batch_id: idIn(answer) } })
    const rows = data.map(({ code }) => ({ label: say('made.code'), value: code }))
    return { handed: { title: say('made.voucher'), note: place, rows } }
  }
  const password = textIn(answer, 'password')
  if (path === accounts.update.path && password !== undefined && 'password' in ask) {
    const username = textIn(answer, 'username')
    const rows = [
      ...(username === undefined ? [] : [{ label: say('made.username'), value: username }]),
      { label: say('made.password-label'), value: password },
    ]
    return {
      handed: {
        title: say('made.password'),
        note: [textIn(answer, 'name'), place].filter(Boolean).join(' · '),
        rows,
      },
    }
  }
  const secret = textIn(answer, 'radius_secret')
  if (secret !== undefined)
    return {
      handed: {
        title: say('made.secret'),
        note: say('made.secret-once', { place }),
        rows: [{ label: say('made.radius-secret'), value: secret }],
      },
    }
  if (path === roomGuests.create.path) return { subject: { kind: 'stay', id: idIn(answer) } }
  if (path === devices.create.path) return { subject: { kind: 'device', id: idIn(answer) } }
  return {}
}
