// Import kind: what differs between imports of different records: the call, the messages, and the column shown for each row.
import * as accounts from '#contract/accounts.ts'
import * as devices from '#contract/devices.ts'
import type { Endpoint, Output } from '#contract/endpoint.ts'
import * as imports from '#contract/imports.ts'
import { messages } from '#contract/messages.ts'
import * as rooms from '#contract/rooms.ts'

/** The result of a check; each row has a name and one further value, which depends on the kind. */
export type Checked = Omit<Output<typeof imports.accounts>, 'preview'> & { preview: PreviewRow[] } & Partial<Moves>
/** Who moves, for a list of rooms. */
export type Moves = Pick<
  Output<typeof imports.rooms>,
  'mode' | 'moves_in' | 'stays' | 'moves_out' | 'leave_by_then' | 'begins_on' | 'confirmation_needed'
>
type PreviewOf<E> = Output<E> extends { preview: (infer R)[] } ? R : never
type PreviewRow = Omit<PreviewOf<typeof imports.accounts>, 'email'> &
  Partial<
    Pick<PreviewOf<typeof imports.accounts>, 'email'> &
      Pick<PreviewOf<typeof imports.devices>, 'mac_address'> &
      Pick<PreviewOf<typeof imports.rooms>, 'guests'>
  >

export interface ImportKind {
  call: Endpoint
  /** The field of the upload that holds the file. */
  field: 'AccountImport' | 'DeviceImport' | 'RoomImport'
  /** The list that shows what was imported. */
  list: Endpoint
  /** The address of the sample file. */
  sample: string
  one: string
  many: string
  /** Shown for each row next to its name. */
  shown: { title: string; of: (row: PreviewRow) => string | null | undefined }
  /** Rows do not name a property, so one is chosen for the file. */
  ofOneProperty?: true
  /** The dialog stays open afterwards and shows the result. */
  staysOpen?: true
  words: {
    importing: string
    cancelled: string
    imported: (count: number) => string
    duplicates: (count: number) => string
    failed: string
  }
}

export const accountImport: ImportKind = {
  call: imports.accounts,
  field: 'AccountImport',
  list: accounts.list,
  sample: '/files/accounts.csv',
  one: 'account',
  many: 'accounts',
  shown: { title: 'E-mail', of: ({ email }) => email },
  words: {
    importing: messages.imports.importingAccounts,
    cancelled: messages.imports.accountsCancelled,
    imported: messages.imports.accountsImported,
    duplicates: messages.imports.duplicateContacts,
    failed: messages.imports.accountsFailed,
  },
}

export const deviceImport: ImportKind = {
  call: imports.devices,
  field: 'DeviceImport',
  list: devices.list,
  sample: '/files/devices.csv',
  one: 'device',
  many: 'devices',
  shown: { title: 'MAC address', of: ({ mac_address }) => mac_address },
  words: {
    importing: messages.imports.importingDevices,
    cancelled: messages.imports.devicesCancelled,
    imported: messages.imports.devicesImported,
    duplicates: messages.imports.duplicateDevices,
    failed: messages.imports.devicesFailed,
  },
}

export const roomImport: ImportKind = {
  call: imports.rooms,
  field: 'RoomImport',
  list: rooms.list,
  sample: '/files/rooms.csv',
  one: 'room',
  many: 'rooms',
  shown: { title: 'Guests', of: ({ guests }) => guests },
  ofOneProperty: true,
  staysOpen: true,
  words: {
    importing: messages.imports.importingRooms,
    cancelled: messages.imports.roomsCancelled,
    imported: messages.imports.roomsImported,
    duplicates: messages.imports.duplicateGuests,
    failed: messages.imports.roomsFailed,
  },
}
