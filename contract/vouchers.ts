// Vouchers: single codes: what a code is, and its present state. Checking a voucher never uses it up.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { constants } from './constants.ts'
import { asciiDigits } from './digits.ts'
import { findFold } from './folded.ts'
import { anyOf, byId, byIds, done, id, listOf, moment, page, ref } from './shapes.ts'
import { messages } from './messages.ts'

const { desk, read } = callsOf('vouchers')

/** 31 symbols without look-alikes. */
export const code_alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
export const code_length = 12

/** Appended to a portal's address in a slip's QR code. */
export const queryOfCode = (code: string) => `?code=${code}`
/** As typed by a person: in any case, width and digits, with or without dashes; or a slip's whole address, as typed by a scanner. */
export function normalised(typed: string): string {
  const plain = findFold(asciiDigits(typed)).toUpperCase()
  return /[?&]CODE=([^&]+)/.exec(plain)?.[1] ?? plain
}
/** Of what was normalised: whether it may be a code. */
export const isCode = (text: string) => hasFormOfCode.test(text)
const hasFormOfCode = new RegExp(`^[${code_alphabet}]{${code_length}}$`)

/** Replaces the hidden part of a code, before its last four symbols. */
export const mask = '••••-••••-'
/** Codes are worth money: callers who may not hand them out can still tell slips apart. Of a code, or its last four symbols. */
export const masked = (code: string) => mask + code.slice(-4)

/** In groups of four: `ABCD-EFGH-JKMN`. */
export const shown = (code: string) => code.match(/.{1,4}/g)?.join('-') ?? code

export const TypedCode = z
  .string({ error: ({ input }) => (input == null ? messages.voucherTest.required : undefined) })
  .trim()
  .max(300)
  .refine((typed) => typed !== '', { error: messages.voucherTest.required, abort: true })
  .refine((typed) => normalised(typed).length >= constants.voucher_code_length_min, messages.voucherTest.minimum)

/** The reasons, in plain words, in the order in which they are checked (DECISIONS §4). The last two are VALID. */
export const reasons = {
  batch_disabled: 'This batch of vouchers is disabled.',
  taken_back: 'This code was taken back.',
  package_disabled: 'The package of this voucher is disabled.',
  not_yet_valid: 'This voucher is not valid yet.',
  expired: 'This voucher has expired.',
  time_used_up: 'The time of this voucher is used up.',
  data_used_up: 'The data of this voucher is used up.',
  device_limit: 'This voucher is already in use on as many devices as it allows.',
  valid_unused: 'Valid, and not used yet.',
  valid_active: 'Valid, and in use.',
} as const
/** For a 404 of the API; shown by the dialog. */
export const reasonUnknown = 'No voucher has this code. Check it for typing mistakes.'

export const VoucherState = z
  .object({
    id: z.int().min(1),
    /** In groups of four. */
    code: z.string(),
    state: z.enum(['valid', 'invalid']),
    reason: z.string(),
    /** The property's name, or the group's if it is valid in all of them. */
    property: z.string(),
    /** Which of the two it is. */
    good_in: z.enum(['property', 'group']),
    batch_number: z.string(),
    package: z.object({ name: z.string(), volume_gb: z.number(), speed: z.number() }),
    redeemed: z.boolean(),
    redeemed_at: moment.nullable(),
    expires_at: moment.nullable(),
    taken_back_at: moment.nullable(),
    /** Gigabytes. */
    data_used: z.number(),
  })
  .meta({ id: 'VoucherState' })

export const VoucherRow = z.object({
  id: z.int().min(1),
  /** In groups of four. Callers who may not hand out codes see its last four symbols. */
  code: z.string(),
  state: z.enum(['valid', 'invalid']),
  reason: z.string(),
  redeemed_at: moment.nullable(),
  /** Used, and not at its end: who is signed in stays so, though its state may be invalid for a further device. */
  in_use: z.boolean().optional(),
  expires_at: moment.nullable(),
  taken_back_at: moment.nullable(),
  /** Gigabytes. */
  data_used: z.number(),
})

/** The codes of one batch, in the order in which they are printed. */
export const list = read(
  '/vouchers',
  listOf({ used: anyOf(z.boolean()) }, { voucher_batch_id: ref('voucher_batches') }),
  page(VoucherRow),
)
export const findByCode = read('/vouchers/find-by-code/{code}', z.object({ code: TypedCode }), VoucherState)
export const validate = read('/vouchers-validate', z.object({ code: TypedCode, batch_id: id.nullish() }), VoucherState)
/** Withdraws single codes: they let nobody in, and guests online with one are disconnected. */
export const deactivate = desk('/vouchers-deactivate', byIds('vouchers'), done)
/** Restores a withdrawn code. */
export const activate = desk('/vouchers-activate/{id}', byId('vouchers'), VoucherState)
