// Find: what the palette looks for on the server as one types: guests, rooms, devices, properties, people, groups, and a
// voucher's whole code.
import * as accounts from '#contract/accounts.ts'
import * as devices from '#contract/devices.ts'
import { search } from '#contract/guest-help.ts'
import * as groups from '#contract/groups.ts'
import * as properties from '#contract/properties.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as rooms from '#contract/rooms.ts'
import * as users from '#contract/users.ts'
import { code_alphabet, code_length, normalised, shown, validate } from '#contract/vouchers.ts'
import { call, Refused } from '#web/kit/call/call.ts'
import { go, here } from '#web/kit/navigation/go.ts'
import { hasScreen, to, withModal } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { mayCall } from '#web/session/may.ts'
import type { PaletteGroup, PaletteItem } from '#web/ui/palette.tsx'
import { plain } from '#web/ui/match-text.ts'
import { nearest } from './nearest.ts'

const shown_max = 5
/** More than are shown, since the newest that match need not be the nearest. */
const asked_max = 30
/** One letter is in nearly every name. */
export const query_length_min = 2

/** A whole code, as it may be typed or scanned; anything shorter is looked for by name. */
export function codeIn(typed: string): string | undefined {
  const code = normalised(typed)
  return code.length === code_length && Array.from(code).every((symbol) => code_alphabet.includes(symbol))
    ? code
    : undefined
}

/** The groups of what was found; kinds without a hit are left out. Throws `Refused` when nothing could be asked at all. */
export async function find(typed: string, signal: AbortSignal): Promise<PaletteGroup[]> {
  const asked = { searchValue: typed, per_page: asked_max }
  const context = appContext()
  const code = codeIn(typed)
  const found = await Promise.all([
    code === undefined ? undefined : findVoucher(code, signal),
    call(accounts.list, asked, { signal }).then(({ data }) => ({
      title: 'Guests',
      items: nearest(data, typed, shown_max).map(({ id, name, property, room }) => ({
        key: `account ${id}`,
        label: name,
        hint: room ? `Room ${room.name}, ${property.name}` : property.name,
        icon: 'accounts' as const,
        onPick: () => go(to.account(id)),
      })),
    })),
    call(roomGuests.list, asked, { signal }).then(({ data }) => ({
      title: 'Guests in rooms',
      items: data.map(({ id, name, room, property }) => ({
        key: `room guest ${id}`,
        label: name,
        hint: `Room ${room.name}, ${property.name}`,
        icon: 'findGuest' as const,
        onPick: () => go(mayCall(search) ? to.guestHelp({ kind: 'stay', id }) : to.roomGuest(id)),
      })),
    })),
    call(rooms.list, { ...asked, sort: 'number' }, { signal }).then(({ data }) => ({
      title: 'Rooms',
      items: data.map(({ id, number, property, occupants_string }) => ({
        key: `room ${id}`,
        label: `Room ${number}`,
        hint: [property.name, occupants_string ?? 'vacant'].join(', '),
        icon: 'rooms' as const,
        onPick: () => go(to.room(id)),
      })),
    })),
    call(devices.list, asked, { signal }).then(({ data }) => ({
      title: 'Devices',
      items: data.map(({ id, name, mac_address, property }) => ({
        key: `device ${id}`,
        label: name,
        hint: `${mac_address}, ${property.name}`,
        icon: 'devices' as const,
        onPick: () => go(to.device(id)),
      })),
    })),
    hasScreen(context, 'properties/update')
      ? call(properties.list, asked, { signal }).then(({ data }) => ({
          title: 'Properties',
          items: nearest(data, typed, shown_max).map(({ id, name, city }) => ({
            key: `property ${id}`,
            label: name,
            hint: city ?? undefined,
            icon: 'properties' as const,
            onPick: () => go(to.property(id)),
          })),
        }))
      : undefined,
    mayCall(users.list)
      ? call(users.list, asked, { signal }).then(({ data }) => ({
          title: 'People',
          items: nearest(data, typed, shown_max).map(({ id, name, email }) => ({
            key: `user ${id}`,
            label: name,
            hint: email,
            icon: 'user' as const,
            onPick: () => go(to.user(id)),
          })),
        }))
      : undefined,
    hasScreen(context, 'groups/update') && mayCall(groups.list)
      ? call(groups.list, asked, { signal }).then(({ data }) => ({
          title: 'Groups',
          items: nearest(data, typed, shown_max).map(({ id, name }) => ({
            key: `group ${id}`,
            label: name,
            icon: 'groups' as const,
            onPick: () => go(to.group(id)),
          })),
        }))
      : undefined,
  ])
  return exactlyFirst(found.filter((group) => group !== undefined && group.items.length > 0) as PaletteGroup[], typed)
}

/** A room is called by its number alone, too. */
const isExact = ({ label }: PaletteItem, typed: string) => [plain(typed), `room ${plain(typed)}`].includes(plain(label))

/** Enter takes the first: what is called just what is typed comes before all that only holds it. */
export function exactlyFirst(groups: readonly PaletteGroup[], typed: string): PaletteGroup[] {
  const rank = (item: PaletteItem) => Number(!isExact(item, typed))
  const rankOf = ({ items }: PaletteGroup) => Math.min(...items.map(rank))
  return groups
    .map((group) => ({ ...group, items: group.items.toSorted((one, other) => rank(one) - rank(other)) }))
    .toSorted((one, other) => rankOf(one) - rankOf(other))
}

/** How the voucher stands, in a word; picking it opens the test. */
async function findVoucher(code: string, signal: AbortSignal): Promise<PaletteGroup> {
  const item = (hint: string) => ({
    key: `voucher ${code}`,
    label: shown(code),
    hint,
    icon: 'vouchers' as const,
    onPick: () => go(withModal(here(), 'test-voucher', {})),
  })
  try {
    const { state, reason, property } = await call(validate, { code }, { signal })
    return { title: 'Voucher', items: [item(`${state.toUpperCase()} · ${reason} ${property}`)] }
  } catch (error) {
    if (error instanceof Refused && error.status === 404)
      return { title: 'Voucher', items: [item('INVALID · No voucher has this code')] }
    throw error
  }
}
