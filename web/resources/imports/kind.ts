// Import kind: what is special about importing one kind of record: its call, its sentences, what rows are shown by.
import * as accounts from '#contract/accounts.ts'
import * as devices from '#contract/devices.ts'
import type { Endpoint, Output } from '#contract/endpoint.ts'
import * as imports from '#contract/imports.ts'
import { messages } from '#contract/messages.ts'
import * as rooms from '#contract/rooms.ts'

/** What the check of a file tells; a row is shown by its name and by one thing more, as its kind says. */
export type Checked = Omit<Output<typeof imports.accounts>, 'preview'> & { preview: PreviewRow[] } & Partial<Moves>
/** Of a list of rooms, who moves. */
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
  /** Where the sample file is. */
  sample: string
  one: string
  many: string
  /** Shown of each row beside its name. */
  shown: { title: string; of: (row: PreviewRow) => string | null | undefined }
  /** A row does not say which property it is for. */
  ofOneProperty?: true
  /** What was done stands in the dialog until somebody closes it. */
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
