// Account columns: what people call the columns of a list of guests, and what may stand in each.
import { AccountInput } from '#contract/accounts.ts'
import { messages } from '#contract/messages.ts'
import { constants } from '#contract/constants.ts'
import type { accountColumns } from '#contract/imports.ts'
import type { AccountRecord } from './account-records.ts'

type Column = (typeof accountColumns)[number]
type Heading = Column | 'first_name' | 'last_name'

/** By preference: of a `Phone` and a `Mobile`, the mobile number is taken. Case, spaces and punctuation do not matter. */
const headings: Record<Heading, string[]> = {
  name: ['name', 'fullname', 'guestname', 'accountname', 'displayname', 'residentname', 'tenantname', 'contactname', 'guest', 'resident', 'tenant', 'account'],
  first_name: ['firstname', 'givenname', 'forename'],
  last_name: ['lastname', 'surname', 'familyname'],
  email: ['email', 'emailaddress', 'mail', 'guestemail'],
  mobile_number: ['mobilenumber', 'mobile', 'mobilephone', 'cell', 'cellphone', 'phonenumber', 'phone', 'telephonenumber', 'telephone', 'tel', 'contactnumber'],
  username: ['username', 'login', 'loginname', 'user', 'userid'],
  password: ['password', 'pass', 'passcode', 'pin'],
  package_id: ['packageid', 'package', 'plan', 'planid'],
  account_type_id: ['accounttypeid', 'accounttype', 'typeid', 'type'],
  external_reference: ['externalreference', 'externalref', 'externalid', 'reference', 'ref', 'bookingreference', 'reservation', 'booking'],
  room_number: ['roomnumber', 'room', 'roomno', 'unitnumber', 'unit', 'unitno', 'apartment', 'flat', 'suite'],
  property_id: ['propertyid', 'property'],
  active: ['active', 'enabled', 'status'],
  expires_at: ['expiresat', 'expires', 'expirydate', 'expiry', 'expirationdate', 'expiration', 'validuntil', 'validto', 'enddate', 'departuredate', 'departure', 'checkoutdate', 'checkout'],
} // prettier-ignore

const squashed = (heading: string) => heading.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

export interface Columns {
  /** Where each stands in a row. */
  at: Map<Heading, number>
  /** Headings that say nothing to us. */
  ignored: string[]
}

export function columnsIn(header: string[]): Columns {
  const names = header.map(squashed)
  const at = new Map<Heading, number>()
  for (const [heading, spellings] of Object.entries(headings) as [Heading, string[]][]) {
    const spelling = spellings.find((known) => names.includes(known))
    if (spelling !== undefined) at.set(heading, names.indexOf(spelling))
  }
  const taken = new Set(at.values())
  return {
    at,
    ignored: header.map((heading) => heading.trim()).filter((heading, index) => heading && !taken.has(index)),
  }
}

/** What is wrong with a cell. Messages of the contract's own schema come from there. */
export class CellProblem extends Error {
  override name = 'CellProblem'
}

const errorValue = /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NULL!|NUM!|ERROR)$/
const unprintable = 'Please remove the unprintable character'

/** One line, without what a spreadsheet program puts where a formula failed. */
export function cleanCell(cell: string): string {
  const text = cell
    .toWellFormed()
    .replace(/\s*[\r\n\t]+\s*/g, ' ')
    .trim()
  if (/\p{Cc}/u.test(text)) throw new CellProblem(unprintable)
  if (errorValue.test(text)) throw new CellProblem(`The formula in this cell gives ${text}`)
  return text
}

const shape = AccountInput.shape
const checked = (
  schema: (typeof shape)['name' | 'email' | 'mobile_number' | 'username' | 'password'],
  text: string,
) => {
  const result = schema.safeParse(text)
  if (!result.success) throw new CellProblem(result.error.issues[0]?.message ?? messages.fields.notValid)
  return String(result.data)
}

/** -1 is the sentinel for "as chosen beside the file"; so is an empty cell. */
function idIn(text: string): number | null {
  if (text === String(constants.csv_sentinel)) return null
  if (!/^\d{1,9}$/.test(text) || Number(text) === 0) throw new CellProblem(messages.fields.integer)
  return Number(text)
}

const truths = new Map([
  ...['true', 'yes', 'y', '1', 'active', 'enabled', 'on'].map((word) => [word, true] as const),
  ...['false', 'no', 'n', '0', 'inactive', 'disabled', 'off'].map((word) => [word, false] as const),
])
function truthIn(text: string): boolean {
  const truth = truths.get(text.toLowerCase())
  if (truth === undefined) throw new CellProblem('Please write true or false')
  return truth
}

/** 2026-12-31, 31.12.2026, either with a time; a day alone is good until it ends. 12/31 and 31/12 cannot be told apart. */
function momentIn(text: string): string {
  const parts =
    /^(?:(\d{4})-(\d\d?)-(\d\d?)|(\d\d?)\.(\d\d?)\.(\d{4}))(?:[T ](\d\d?):(\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|[+-](?:0\d|1[0-5]):[0-5]\d)?)?$/.exec(
      text,
    )
  if (!parts) throw new CellProblem('Please write the date as 2026-12-31')
  const part = (index: number, other = index) => Number(parts[index] ?? parts[other] ?? 0)
  const [year, month, day] = [part(1, 6), part(2, 5), part(3, 4)]
  const hasTime = parts[7] !== undefined
  const [hour, minute, second] = hasTime ? [part(7), part(8), part(9)] : [23, 59, 59]
  const moment = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  const exists =
    year >= 1000 &&
    moment.getUTCMonth() === month - 1 &&
    moment.getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60
  if (!exists) throw new CellProblem('There is no such date')
  return moment.toISOString().slice(0, 19) + (parts[10] ?? '')
}

/** How each column is read; what is empty never gets here. */
export const readCell: { [C in Column]: (text: string) => AccountRecord[C] } = {
  name: (text) => checked(shape.name, text),
  email: (text) => checked(shape.email, text),
  mobile_number: (text) => checked(shape.mobile_number, text),
  username: (text) => checked(shape.username, text),
  password: (text) => checked(shape.password, text),
  external_reference: (text) => (text === String(constants.csv_sentinel) ? null : checked(shape.name, text)),
  room_number: (text) => checked(shape.username, text),
  package_id: idIn,
  account_type_id: idIn,
  property_id: idIn,
  active: truthIn,
  expires_at: momentIn,
}
