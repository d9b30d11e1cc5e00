// Guest help fixes: what would fix each reason for which a guest may be refused.
import { day_ms } from '#contract/days.ts'
import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import * as accounts from '#contract/accounts.ts'
import * as devices from '#contract/devices.ts'
import * as guestHelp from '#contract/guest-help.ts'
import type { Fix } from '#contract/guest-help.ts'
import { isRandomised } from '#contract/mac-address.ts'
import * as packages from '#contract/packages.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as batches from '#contract/voucher-batches.ts'
import * as vouchers from '#contract/vouchers.ts'
import { onceMore, untilTomorrow } from '#server/stays/stay-record.ts'
import { nameGiven } from './guest-record.ts'
import { networkFixes } from './network.ts'
import { advice, editorsOf, offer, type FixMaker, type Trouble } from './offers.ts'

/** Lower-case letters and digits without look-alikes, such as `k7mp-4xqe`: about 39 bits. */
function easyPassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
  const four = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `${four()}-${four()}`
}

const fixesByReason: Record<string, FixMaker> = {
  account_disabled: ({ scope, known: { holder } }) => [
    offer(
      scope,
      accounts.activate,
      { id: holder?.id ?? 0 },
      { label: 'Enable the account', done: 'The account is enabled.' },
    ),
  ],
  device_disabled: ({ scope, known: { holder } }) => [
    offer(
      scope,
      devices.activate,
      { id: holder?.id ?? 0 },
      { label: 'Enable the device', done: 'The device is enabled.' },
    ),
  ],
  batch_disabled: async (trouble) => [...(await enableBatch(trouble)), ...(await newVoucher(trouble))],
  taken_back: async (trouble) => [...giveAgain(trouble), ...(await newVoucher(trouble))],
  package_disabled: async (trouble) => [...enablePackage(trouble), ...(await newVoucher(trouble))],
  expired: async (trouble) => (trouble.known.voucher ? newVoucher(trouble) : extend(trouble)),
  not_yet_valid: (trouble) => newVoucher(trouble),
  stay_over: stayOn,
  checked_out: checkIn,
  not_arrived: ({ scope, known: { stay } }) =>
    stay === null
      ? []
      : [
          offer(
            scope,
            roomGuests.checkIn,
            { ids: [stay.id] },
            { label: 'They are here today', done: 'The guest is checked in.' },
          ),
        ],
  time_used_up: async (trouble) => [...renewed(trouble), ...(await newVoucher(trouble))],
  data_used_up: async (trouble) => [...renewed(trouble), ...(await newVoucher(trouble))],
  device_limit: freePlaces,
  device_blocked: unblock,
  too_many_tries: ({ scope, known: { property, mac_address }, attempts: [latest] }) => {
    const mac = mac_address ?? latest?.mac_address
    return property === null || mac == null
      ? []
      : [
          offer(
            scope,
            guestHelp.letTryAgain,
            { property_id: property.id, mac_address: mac },
            {
              label: 'Let them try again now',
              done: 'They can try again.',
            },
          ),
        ]
  },
  wrong_password: async (trouble) =>
    trouble.known.holder?.kind === 'account' ? newPassword(trouble) : newVoucher(trouble),
  unconfirmed: async (trouble) => [
    ...(await newVoucher(trouble)),
    advice('Open the link', 'It still works: the guest opens it in their mail and signs in again.'),
  ],
  no_more_messages: newVoucher,
  wrong_name: rename,
  wrong_property: (trouble) => newVoucher(trouble),
  unknown_user: (trouble) => newVoucher(trouble),
  unknown_device: async (trouble) => [...newAddress(trouble), ...(await newVoucher(trouble))],
  pass_over: () => [advice('Sign in once more', 'Ask the guest to open the Wi-Fi page again. It works at once.')],
  device_unnamed: () => [advice('Look at the gateway', 'It does not send the device’s address (Calling-Station-Id).')],
  ...networkFixes,
}

/** In the order of the reasons, without duplicates. */
export async function fixesFor(trouble: Trouble, reasons: readonly string[]): Promise<Fix[]> {
  const found: Fix[] = []
  for (const reason of reasons) found.push(...((await fixesByReason[reason]?.(trouble)) ?? []))
  return [...new Map(found.map((fix) => [fix.label, fix])).values()]
}

function giveAgain({ scope, known: { voucher } }: Trouble): Fix[] {
  if (voucher === null) return []
  return [
    offer(
      scope,
      vouchers.activate,
      { id: voucher.id },
      { label: 'Give the code again', done: 'The code works again.' },
    ),
  ]
}

async function enableBatch({ scope, known: { voucher } }: Trouble): Promise<Fix[]> {
  if (voucher === null) return []
  const [batch] = await scope.run(sql`
    select from voucher_batches as t where t.id = ${voucher.voucher_batch_id} and ${scope.inReach('voucher_batches', 't')}`)
  const label = `Enable batch ${voucher.batch_number}`
  // A batch of a whole group can only be enabled by the group.
  if (!batch) return [advice(label, 'Whoever looks after the group can do that.')]
  const confirm = voucher.quantity === 1 ? null : `All ${voucher.quantity} codes of the batch work again.`
  return [
    offer(scope, batches.activate, { id: voucher.voucher_batch_id }, { label, done: 'The batch is enabled.', confirm }),
  ]
}

function enablePackage({ scope, known: { voucher }, facts }: Trouble): Fix[] {
  const id = voucher?.package_id ?? facts?.package_id
  if (id == null) return []
  return [
    offer(
      scope,
      packages.activate,
      { id },
      {
        label: 'Enable the package',
        done: 'The package is enabled.',
        confirm: 'Everybody who has this package can sign in again.',
        who: editorsOf('customer'),
      },
    ),
  ]
}

const extend = ({ scope, known: { holder, expires_at } }: Trouble): Fix[] =>
  holder === null
    ? []
    : [
        { label: 'Extend by a day', days: 1 },
        { label: 'Extend by a week', days: 7 },
      ].map(({ label, days }) =>
        offer(
          scope,
          accounts.update,
          { id: holder.id, expires_at: new Date(Date.now() + days * day_ms).toISOString() },
          {
            label,
            done: 'The account is extended.',
            undo: { id: holder.id, expires_at },
          },
        ),
      )

function stayOn({ scope, known: { stay } }: Trouble): Fix[] {
  if (stay === null) return []
  return [
    offer(scope, roomGuests.update, untilTomorrow(stay), {
      label: 'They stay until tomorrow',
      done: 'The stay goes on until tomorrow.',
    }),
  ]
}

function checkIn({ scope, known: { stay } }: Trouble): Fix[] {
  if (stay === null || stay.last_name === null) return []
  return [
    offer(
      scope,
      roomGuests.create,
      { ...onceMore(stay), last_name: stay.last_name, share: false },
      {
        label: 'Check them in again',
        done: 'The guest is checked in until tomorrow.',
      },
    ),
  ]
}

/** Renames the guest to the last name that they typed. */
function rename({ scope, known, attempts: [latest] }: Trouble): Fix[] {
  const given = nameGiven(known, latest?.identifier)
  if (known.stay === null || given === null) return []
  const { id, last_name } = known.stay
  return [
    offer(
      scope,
      roomGuests.update,
      { id, last_name: given },
      {
        label: `It is ${given}`,
        done: `The guest is called ${given} now.`,
        undo: { id, last_name: last_name ?? given },
      },
    ),
  ]
}

const renewed = ({ scope, known: { holder } }: Trouble): Fix[] =>
  holder === null
    ? []
    : [
        offer(scope, guestHelp.renew, holder, {
          label: 'Renew the allowance',
          done: 'The allowance is renewed.',
        }),
      ]

/** Offers the devices that were seen longest ago, those that are offline first. */
function freePlaces({ scope, known: { holder }, devices }: Trouble): Fix[] {
  if (holder === null) return []
  const oldest = devices.toSorted(
    (a, b) => Number(a.session_id !== null) - Number(b.session_id !== null) || a.seen_at.localeCompare(b.seen_at),
  )
  return oldest.slice(0, 4).map(({ mac_address, session_id }) =>
    offer(
      scope,
      guestHelp.forgetDevice,
      { ...holder, mac_address },
      {
        label: session_id === null ? `Free the place of ${mac_address}` : `Disconnect ${mac_address}`,
        done: 'Another device can sign in now.',
        confirm: session_id === null ? null : 'This device is online and is disconnected.',
      },
    ),
  )
}

async function unblock({ scope, known: { property, mac_address }, attempts: [latest] }: Trouble): Promise<Fix[]> {
  const mac = mac_address ?? latest?.mac_address ?? null
  const [device] = await scope.run(sql<{ id: number; name: string; mac_category_id: number | null }>`
    select t.id, t.name, t.mac_category_id from devices as t
    where t.property_id = ${property?.id ?? null} and t.mac_address = ${mac}::macaddr and ${scope.inReach('devices', 't')}`)
  if (!device) return []
  return [
    offer(
      scope,
      devices.update,
      { id: device.id, mac_category_id: null },
      {
        label: `Take ${device.name} out of its category`,
        done: 'The device is let in.',
        confirm: 'Devices of its category are blocked on the network.',
        undo: { id: device.id, mac_category_id: device.mac_category_id },
      },
    ),
  ]
}

const newPassword = ({ scope, known: { holder } }: Trouble): Fix[] =>
  holder === null
    ? []
    : [
        offer(
          scope,
          accounts.update,
          { id: holder.id, password: easyPassword() },
          {
            label: 'Make a new password',
            done: 'The guest has a new password.',
            confirm: 'Their current password stops working.',
          },
        ),
      ]

/** For a phone that uses a random address other than the registered one. */
function newAddress({ scope, known, attempts: [latest] }: Trouble): Fix[] {
  const { kind, property, mac_address } = known
  const seen = latest?.mac_address
  if (property === null || seen == null) return []
  if (kind === 'device' && mac_address !== null && seen !== mac_address)
    return [
      offer(
        scope,
        devices.update,
        { id: known.id, mac_address: seen },
        {
          label: `Its address is ${seen} now`,
          done: 'The device is known by its new address.',
          undo: { id: known.id, mac_address },
        },
      ),
    ]
  return kind === 'attempt'
    ? [
        offer(
          scope,
          devices.create,
          { property_id: property.id, name: `Device ${seen}`, mac_address: seen },
          {
            label: 'Register this device',
            done: 'The device is registered.',
            confirm: isRandomised(seen) ? 'It made this address up, and may take another one.' : null,
          },
        ),
      ]
    : []
}

/** Of the same package, or else of the property's default package. */
async function newVoucher({ scope, known: { voucher, property }, facts, attempts: [latest] }: Trouble): Promise<Fix[]> {
  const property_id = (latest?.reason === 'wrong_property' ? latest.property?.id : undefined) ?? property?.id
  if (property_id === undefined) return []
  const [found] = await scope.run(sql<{ id: number }>`
    select t.id from packages as t
    where t.active and ${scope.inReach('packages', 't')} and t.id in (
      ${voucher?.package_id ?? facts?.package_id ?? null}::integer,
      (select p.package_id from properties as p where p.customer_id = t.customer_id and p.id = ${property_id}))
    order by t.id = ${voucher?.package_id ?? facts?.package_id ?? null}::integer desc nulls last limit 1`)
  if (!found) return []
  return [
    offer(
      scope,
      batches.create,
      { quantity: 1, property_id, package_id: found.id },
      {
        label: 'Give them a new voucher',
        done: 'The voucher is made.',
      },
    ),
  ]
}
