// Guest kind: what can be done with one guest, in its row and on its page: withdrawing their consent, downloading and erasing their data.
import type { RowOf } from '#contract/endpoint.ts'
import * as help from '#contract/guest-help.ts'
import * as guests from '#contract/guests.ts'
import { call, fetchFile, save } from '#web/kit/call/call.ts'
import { forgetRecords, invalidateOthers, patchRows } from '#web/kit/call/query-client.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { counted, countedThere } from '#web/kit/display/numbers.ts'
import type { BulkAction } from '#web/kit/list/list-types.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { to } from '#web/paths.ts'
import { mayCall } from '#web/session/may.ts'
import type { MenuItem } from '#web/ui/menu.tsx'

export type Guest = RowOf<typeof guests.list>

/** Guests who only clicked through have neither name nor address. */
export const nameOf = ({ name, email, mobile_number, id }: Pick<Guest, 'id' | 'name' | 'email' | 'mobile_number'>) =>
  name ?? email ?? mobile_number ?? `Guest ${id}`

/** Asks first, listing what will be erased; returns whether it was done. */
export async function eraseGuests(rows: Pick<Guest, 'id' | 'name' | 'email' | 'mobile_number'>[]): Promise<boolean> {
  const ids = rows.map(({ id }) => id)
  const [first] = rows
  const whose = rows.length === 1 && first ? `“${nameOf(first)}”` : counted(rows.length, 'guest')
  const known = await call(guests.known, { ids })
  const lost = countedThere([
    [known.devices, 'device'],
    [known.consents, 'consent'],
    [known.attempts, 'sign-in attempt'],
  ])
  if (known.online > 0) {
    notify.error(`${whose} cannot be erased while online. Disconnect ${counted(known.online, 'session')} first.`)
    return false
  }
  const kept = `What ${counted(known.sessions, 'session')} used stays in the totals, without a name. `
  const yes = await confirm({
    title: `Erase ${whose}?`,
    description:
      `Names, addresses and numbers are deleted for good${lost && `, along with ${lost}`}. ` +
      `${known.sessions > 0 ? kept : ''}This cannot be undone.`,
    accept: erase_word,
    danger: true,
  })
  if (!yes) return false
  await call(guests.erase, { ids })
  return true
}

export const erase_word = 'Erase'
const withdraw_word = 'Withdraw consent to marketing'

/** Asks first; returns whether it was done. Counts those who have agreed alone. */
async function withdrawConsent(rows: Guest[]): Promise<boolean> {
  const agreed = rows.filter(({ marketing }) => marketing)
  const ids = agreed.map(({ id }) => id)
  const [first] = agreed
  if (!first) {
    notify.error('None of these guests has agreed to marketing.')
    return false
  }
  const whose = agreed.length === 1 ? `“${nameOf(first)}”` : counted(agreed.length, 'guest')
  const yes = await confirm({
    title: `Withdraw the consent of ${whose}?`,
    description:
      'They get no more offers from any property that you see where they gave the same address or number, and connected audiences ' +
      'archive them unless they agreed elsewhere. Only they themselves can agree again, when they sign in at a portal.',
    accept: 'Withdraw',
    danger: true,
  })
  if (!yes) return false
  const withdrawn = await call(guests.withdrawConsent, { ids })
  patchRows(guests.list.path, withdrawn.ids, { marketing: false })
  invalidateOthers()
  notify.success(`Consent of ${counted(ids.length, 'guest')} withdrawn`)
  return true
}

/** Formats for the guest to read, or for other programs. */
const dataFiles = [
  { label: 'Download data (Excel)', format: 'xlsx' },
  { label: 'Download data (JSON)', format: 'json' },
] as const

async function downloadData(id: number, format: (typeof dataFiles)[number]['format']) {
  save(await fetchFile(guests.data, { id, format }, `guest-${id}.${format}`))
}

const notifyErased = (count: number) => notify.success(`${counted(count, 'guest')} erased`)

/** `erased` is called afterwards, so that the guest's page can be left. */
export function guestItems(guest: Guest, erased: (id: number) => void): MenuItem[] {
  const eraseIt = async () => {
    if (!(await eraseGuests([guest]))) return
    erased(guest.id)
    notifyErased(1)
  }
  return [
    ...(mayCall(guests.data)
      ? dataFiles.map(({ label, format }) => ({
          label,
          icon: 'download' as const,
          onPick: () => downloadData(guest.id, format).catch(notify.failure),
        }))
      : []),
    ...(guest.marketing && mayCall(guests.withdrawConsent)
      ? [
          {
            label: withdraw_word,
            icon: 'disable' as const,
            onPick: () => void withdrawConsent([guest]).catch(notify.failure),
          },
        ]
      : []),
    ...(mayCall(guests.erase)
      ? [
          {
            label: erase_word,
            icon: 'delete' as const,
            danger: true,
            apart: true,
            onPick: () => eraseIt().catch(notify.failure),
          },
        ]
      : []),
  ]
}

export const forgetGuests = (ids: number[]) => forgetRecords(guests.list.path, ids, [guests.get.path, help.get.path])

export const guestKind: RecordKind<Guest> = {
  of: { list: guests.list, get: guests.get, exportList: guests.exportList, fields: guests.fields },
  noun: 'guests',
  nameOf,
  searchKey: 'email',
  href: (guest) => to.guest(guest.id),
  consequence: '',
  own: (guest) => guestItems(guest, (id) => forgetGuests([id])),
}

export const withdrawSeveral: BulkAction = {
  label: withdraw_word,
  icon: 'disable',
  rows_max: 500,
  run: (rows) => withdrawConsent(rows as unknown as Guest[]),
}

export const eraseSeveral: BulkAction = {
  label: erase_word,
  icon: 'delete',
  danger: true,
  rows_max: 500,
  run: async (rows) => {
    const chosen = rows as unknown as Guest[]
    if (!(await eraseGuests(chosen))) return false
    forgetGuests(chosen.map(({ id }) => id))
    notifyErased(chosen.length)
    return true
  },
}
