// Account import: what people call the columns of a list of guests, what may stand in each, and where it goes.
import { AccountInput } from '#contract/accounts.ts'
import type { accountColumns } from '#contract/imports.ts'
import { textOrSentinelIn } from './cells.ts'
import { checkOf, likenessOf } from './check.ts'
import { moment, reference, text, truth, type Column, type ImportDefinition } from './definition.ts'

const shape = AccountInput.shape

const columns = {
  name: text(
    shape.name,
    [
      'name',
      'fullname',
      'guestname',
      'accountname',
      'displayname',
      'residentname',
      'tenantname',
      'contactname',
      'guest',
      'resident',
      'tenant',
      'account',
    ],
    {
      parts: { first_name: ['firstname', 'givenname', 'forename'], last_name: ['lastname', 'surname', 'familyname'] },
    },
  ),
  email: text(shape.email, ['email', 'emailaddress', 'mail', 'guestemail']),
  mobile_number: text(shape.mobile_number, [
    'mobilenumber',
    'mobile',
    'mobilephone',
    'cell',
    'cellphone',
    'phonenumber',
    'phone',
    'telephonenumber',
    'telephone',
    'tel',
    'contactnumber',
  ]),
  username: text(shape.username, ['username', 'login', 'loginname', 'user', 'userid'], {
    unique: { noun: 'username', taken: 'Another account of the property has this username' },
  }),
  // Sealed, in a table of its own.
  password: text(shape.password, ['password', 'pass', 'passcode', 'pin'], { apart: true }),
  package_id: reference('packages', ['packageid', 'package', 'plan', 'planid']),
  account_type_id: reference('account_types', ['accounttypeid', 'accounttype', 'typeid', 'type']),
  external_reference: text(
    shape.name,
    [
      'externalreference',
      'externalref',
      'externalid',
      'reference',
      'ref',
      'bookingreference',
      'reservation',
      'booking',
    ],
    {
      read: textOrSentinelIn(shape.name),
    },
  ),
  room_number: text(
    shape.username,
    ['roomnumber', 'room', 'roomno', 'unitnumber', 'unit', 'unitno', 'apartment', 'flat', 'suite'],
    {
      finds: { table: 'rooms', by: 'number', stored: 'room_id', noun: 'room' },
    },
  ),
  active: truth(true, ['active', 'enabled', 'status']),
  expires_at: moment([
    'expiresat',
    'expires',
    'expirydate',
    'expiry',
    'expirationdate',
    'expiration',
    'validuntil',
    'validto',
    'enddate',
    'departuredate',
    'departure',
    'checkoutdate',
    'checkout',
  ]),
} satisfies Record<Exclude<(typeof accountColumns)[number], 'property_id'>, Column>

export const accountImport: ImportDefinition = {
  kind: 'accounts',
  table: 'accounts',
  checker: import.meta.resolve('#server/imports/accounts.ts'),
  columns,
  key: { columns: ['name'], unique: true },
  withoutKey: 'noName',
}

export const check = checkOf(accountImport)
export const likeness = likenessOf(accountImport)
