// Accounts: guests who sign in with a name and a password, in one property.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import { constants } from './constants.ts'
import { atDesk } from './reserved.ts'
import {
  anyOf,
  anyOrNone,
  byId,
  changesTo,
  count,
  done,
  guestEmail,
  id,
  idOrIds,
  byIds,
  rowOf,
  listOf,
  mobile,
  moment,
  named,
  no,
  page,
  ref,
  text,
  yes,
  storedMoment,
} from './shapes.ts'
import { status } from './status.ts'

const { desk, read, write, listFile, removal } = callsOf('accounts')

export const AccountInput = z.object({
  property_id: ref('properties'),
  package_id: ref('packages', 'The property’s package').nullish(),
  room_id: ref('rooms').nullish(),
  account_type_id: ref('account_types').default(constants.account_types.regular),
  /** The key by which an import overwrites: unique within the property, ignoring case. */
  name: text(),
  email: guestEmail.nullish(),
  mobile_number: mobile.nullish(),
  /** What another system knows the guest by. */
  external_reference: text().nullish(),
  /** What the guest types at the portal: unique within the property. */
  username: text(100).nullish(),
  password: atDesk('accounts', text(200)).nullish(),
  expires_at: atDesk('accounts', storedMoment).nullish(),
  draft: no,
  active: yes,
})
export const AccountRow = z.object({
  id,
  name: z.string(),
  email: z.string().nullable(),
  mobile_number: z.string().nullable(),
  username: z.string().nullable(),
  external_reference: z.string().nullable(),
  property: named,
  package: named.nullable(),
  room: named.nullable(),
  account_type_id: id,
  expires_at: moment.nullable(),
  status,
  draft: z.boolean(),
  active: z.boolean(),
  logged_in_at: moment.nullable(),
  created_at: moment,
})
export const Account = z
  .object({
    ...AccountRow.shape,
    property_id: id,
    package_id: id.nullable(),
    room_id: id.nullable(),
    /** The last message with the guest's sign-in could not be delivered. */
    sign_in_undelivered: z.boolean(),
    /** Null for callers who are not editors, and where none is set. */
    password: z.string().nullable(),
  })
  .meta({ id: 'Account' })

/** The labels of its fields. */
export const fields = fieldsOf(
  [AccountInput, Account, AccountRow],
  { account_type_id: 'Type', expires_at: 'Expires' },
  {
    guest: ['name', 'property_id', 'room_id', 'email', 'mobile_number', 'external_reference'],
    sign_in: ['username', 'password'],
    service: ['package_id', 'account_type_id', 'expires_at'],
  },
)

const AccountFilters = {
  status: anyOf(status),
  account_type_id: anyOf(id),
  package_id: anyOrNone(id),
  property_id: anyOf(id),
}
const AccountParams = {
  property_id: ref('properties').optional(),
  group_id: ref('groups').optional(),
  room_id: ref('rooms').optional(),
}

export const list = read(
  '/accounts',
  listOf(AccountFilters, AccountParams, ['-created_at', 'created_at', 'name', '-name']),
  page(AccountRow),
)
export const exportList = listFile('/accounts-list-export', list)
export const get = read('/accounts/{id}', byId('accounts'), Account)
export const create = write('/accounts-create', AccountInput, Account)
/** The front desk may reset a password and extend; everything else is for editors. */
export const update = desk('/accounts-update', changesTo('accounts', AccountInput), Account)
/** Mails the guest their sign-in for the portal: to the given address, else to the account's own. */
export const sendSignIn = write(
  '/accounts-send-sign-in',
  byId('accounts').extend({ email: guestEmail.nullish() }),
  z.object({ email: guestEmail }),
)
export const deactivate = write('/accounts-deactivate', byIds('accounts'), done)
export const activate = desk('/accounts-activate/{id}', byId('accounts'), Account)
export const remove = removal('/accounts-delete', idOrIds('accounts'), done)
/** Asks the gateways to end the sessions of deleted accounts; answers how many. */
export const disconnectDeleted = write(
  '/accounts-disconnect-deleted/{propertyId}',
  z.object({ propertyId: rowOf('properties') }),
  z.object({ disconnected: count }),
)
