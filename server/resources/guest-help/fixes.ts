// Guest help fixes: what would fix each reason for which a guest may be refused.
import { day_ms } from '#contract/days.ts'
import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import * as accounts from '#contract/accounts.ts'
import * as devices from '#contract/devices.ts'
import * as guestHelp from '#contract/guest-help.ts'
import type { Fix } from '#contract/guest-help.ts'
import { isRandomised } from '#contract/mac-address.ts'
import * as packages from '#contract/packages.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as batches from '#contract/voucher-batches.ts'
import * as vouchers from '#contract/vouchers.ts'
import { occupantNames } from '#server/stays/acts.ts'
import { onceMore, untilTomorrow } from '#server/stays/stay-record.ts'
import { nameGiven } from './guest-record.ts'
import { networkFixes } from './network.ts'
import { advice, offer, type FixMaker, type GuestTrouble } from './offers.ts'

/** Lower-case letters and digits without look-alikes, such as `k7mp-4xqe`: about 39 bits. */
function easyPassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
  const four = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `${four()}-${four()}`
}

const fixesByReason: Record<string, FixMaker> = {
  account_disabled: ({ scope, say, known: { holder } }) => [
    offer(
      scope,
      accounts.activate,
      { id: holder?.id ?? 0 },
      { label: say('fix.enable-account'), done: say('fix.enable-account-done') },
    ),
  ],
  device_disabled: ({ scope, say, known: { holder } }) => [
    offer(
      scope,
      devices.activate,
      { id: holder?.id ?? 0 },
      { label: say('fix.enable-device'), done: say('fix.enable-device-done') },
    ),
  ],
  batch_disabled: async (trouble) => [...(await enableBatch(trouble)), ...(await newVoucher(trouble))],
  taken_back: async (trouble) => [...giveAgain(trouble), ...(await newVoucher(trouble))],
  package_disabled: async (trouble) => [...enablePackage(trouble), ...(await newVoucher(trouble))],
  expired: async (trouble) => (trouble.known.voucher ? newVoucher(trouble) : extend(trouble)),
  not_yet_valid: (trouble) => newVoucher(trouble),
  stay_over: stayOn,
  checked_out: checkIn,
  not_arrived: ({ scope, say, known: { stay } }) =>
    stay === null
      ? []
      : [
          offer(
            scope,
            roomGuests.checkIn,
            { ids: [stay.id] },
            { label: say('fix.here-today'), done: say('fix.here-today-done') },
          ),
        ],
  time_used_up: async (trouble) => [...renewed(trouble), ...(await newVoucher(trouble))],
  data_used_up: async (trouble) => [...renewed(trouble), ...(await newVoucher(trouble))],
  device_limit: freePlaces,
  device_blocked: unblock,
  too_many_tries: ({ scope, say, known: { property, mac_address }, attempts: [latest] }) => {
    const mac = mac_address ?? latest?.mac_address
    return property === null || mac == null
      ? []
      : [
          offer(
            scope,
            guestHelp.letTryAgain,
            { property_id: property.id, mac_address: mac },
            {
              label: say('fix.try-again'),
              done: say('fix.try-again-done'),
            },
          ),
        ]
  },
  wrong_password: async (trouble) =>
    trouble.known.holder?.kind === 'account' ? newPassword(trouble) : newVoucher(trouble),
  unconfirmed: async (trouble) => [
    ...(await newVoucher(trouble)),
    advice(trouble.say('fix.open-link'), trouble.say('fix.open-link-how')),
  ],
  no_more_messages: newVoucher,
  wrong_name: rename,
  wrong_property: (trouble) => newVoucher(trouble),
  unknown_user: (trouble) => newVoucher(trouble),
  unknown_device: async (trouble) => [...newAddress(trouble), ...(await newVoucher(trouble))],
  pass_over: ({ say }) => [advice(say('fix.once-more'), say('fix.once-more-how'))],
  device_unnamed: ({ say }) => [advice(say('fix.look-gateway'), say('fix.look-gateway-address'))],
  ...networkFixes,
}

/** In the order of the reasons, without duplicates. */
export async function fixesFor(trouble: GuestTrouble, reasons: readonly string[]): Promise<Fix[]> {
  const found: Fix[] = []
  for (const reason of reasons) found.push(...((await fixesByReason[reason]?.(trouble)) ?? []))
  return [...new Map(found.map((fix) => [fix.label, fix])).values()]
}

function giveAgain({ scope, say, known: { voucher } }: GuestTrouble): Fix[] {
  if (voucher === null) return []
  return [
    offer(
      scope,
      vouchers.activate,
      { id: voucher.id },
      { label: say('fix.give-again'), done: say('fix.give-again-done') },
    ),
  ]
}

async function enableBatch({ scope, say, known: { voucher } }: GuestTrouble): Promise<Fix[]> {
  if (voucher === null) return []
  const [batch] = await scope.run(sql`
    select from voucher_batches as t where t.id = ${voucher.voucher_batch_id} and ${scope.inReach('voucher_batches', 't')}`)
  const label = say('fix.enable-batch', { number: voucher.batch_number })
  // A batch of a whole group can only be enabled by the group.
  if (!batch) return [advice(label, say('fix.enable-batch-who'))]
  const confirm = voucher.quantity === 1 ? null : say('fix.enable-batch-all', { count: voucher.quantity })
  return [
    offer(
      scope,
      batches.activate,
      { id: voucher.voucher_batch_id },
      { label, done: say('fix.enable-batch-done'), confirm },
    ),
  ]
}

function enablePackage({ scope, say, known: { voucher }, facts }: GuestTrouble): Fix[] {
  const id = voucher?.package_id ?? facts?.package_id
  if (id == null) return []
  return [
    offer(
      scope,
      packages.activate,
      { id },
      {
        label: say('fix.enable-package'),
        done: say('fix.enable-package-done'),
        confirm: say('fix.enable-package-all'),
        who: say('fix.editor-customer'),
      },
    ),
  ]
}

const extend = ({ scope, say, known: { holder, expires_at } }: GuestTrouble): Fix[] =>
  holder === null
    ? []
    : [
        { label: say('fix.extend-day'), days: 1 },
        { label: say('fix.extend-week'), days: 7 },
      ].map(({ label, days }) =>
        offer(
          scope,
          accounts.update,
          { id: holder.id, expires_at: new Date(Date.now() + days * day_ms).toISOString() },
          {
            label,
            done: say('fix.extend-done'),
            undo: { id: holder.id, expires_at },
          },
        ),
      )

function stayOn({ scope, say, known: { stay } }: GuestTrouble): Fix[] {
  if (stay === null) return []
  return [
    offer(scope, roomGuests.update, untilTomorrow(stay), {
      label: say('fix.stay-on'),
      done: say('fix.stay-on-done'),
    }),
  ]
}

async function checkIn({ scope, say, known: { stay, room } }: GuestTrouble): Promise<Fix[]> {
  if (stay === null || stay.last_name === null) return []
  const living = await occupantNames(scope, stay.room_id)
  return [
    offer(
      scope,
      roomGuests.create,
      { ...onceMore(stay), last_name: stay.last_name, share: living !== null },
      {
        label: say('fix.check-in-again'),
        done: say('fix.check-in-again-done'),
        confirm: living && say('fix.check-in-again-shares', { ...living, room: room ?? '' }),
      },
    ),
  ]
}

/** Renames the guest to the last name that they typed. */
function rename({ scope, say, known, attempts: [latest] }: GuestTrouble): Fix[] {
  const given = nameGiven(known, latest?.identifier)
  if (known.stay === null || given === null) return []
  const { id, last_name } = known.stay
  return [
    offer(
      scope,
      roomGuests.update,
      { id, last_name: given },
      {
        label: say('fix.rename', { name: given }),
        done: say('fix.rename-done', { name: given }),
        undo: { id, last_name: last_name ?? given },
      },
    ),
  ]
}

const renewed = ({ scope, say, known: { holder } }: GuestTrouble): Fix[] =>
  holder === null
    ? []
    : [
        offer(scope, guestHelp.renew, holder, {
          label: say('fix.renew'),
          done: say('fix.renew-done'),
        }),
      ]

/** Offers the devices that were seen longest ago, those that are offline first. */
function freePlaces({ scope, say, known: { holder }, devices }: GuestTrouble): Fix[] {
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
        label: say(session_id === null ? 'fix.free-place' : 'fix.disconnect', { mac: mac_address }),
        done: say('fix.free-place-done'),
        confirm: session_id === null ? null : say('fix.disconnect-means'),
      },
    ),
  )
}

async function unblock({
  scope,
  say,
  known: { property, mac_address },
  attempts: [latest],
}: GuestTrouble): Promise<Fix[]> {
  const mac = mac_address ?? latest?.mac_address ?? null
  const [device] = await scope.run(sql<ColumnsOf<'devices', 'id' | 'name' | 'mac_category_id'>>`
    select t.id, t.name, t.mac_category_id from devices as t
    where t.property_id = ${property?.id ?? null} and t.mac_address = ${mac}::macaddr and ${scope.inReach('devices', 't')}`)
  if (!device) return []
  return [
    offer(
      scope,
      devices.update,
      { id: device.id, mac_category_id: null },
      {
        label: say('fix.unblock', { name: device.name }),
        done: say('fix.unblock-done'),
        confirm: say('fix.unblock-means'),
        undo: { id: device.id, mac_category_id: device.mac_category_id },
      },
    ),
  ]
}

const newPassword = ({ scope, say, known: { holder } }: GuestTrouble): Fix[] =>
  holder === null
    ? []
    : [
        offer(
          scope,
          accounts.update,
          { id: holder.id, password: easyPassword() },
          {
            label: say('fix.password'),
            done: say('fix.password-done'),
            confirm: say('fix.password-means'),
          },
        ),
      ]

/** For a phone that uses a random address other than the registered one. */
function newAddress({ scope, say, known, attempts: [latest] }: GuestTrouble): Fix[] {
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
          label: say('fix.address', { mac: seen }),
          done: say('fix.address-done'),
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
            label: say('fix.register-device'),
            done: say('fix.register-device-done'),
            confirm: isRandomised(seen) ? say('fix.register-device-random') : null,
          },
        ),
      ]
    : []
}

/** Of the same package, or else of the property's default package. */
async function newVoucher({
  scope,
  say,
  known: { voucher, property },
  facts,
  attempts: [latest],
}: GuestTrouble): Promise<Fix[]> {
  const property_id = (latest?.reason === 'wrong_property' ? latest.property?.id : undefined) ?? property?.id
  if (property_id === undefined) return []
  const [found] = await scope.run(sql<ColumnsOf<'packages', 'id'>>`
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
        label: say('fix.voucher'),
        done: say('fix.voucher-done'),
      },
    ),
  ]
}
