// Voucher batches: codes made together, sold or given out together, for one property or a whole group.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import {
  amount,
  anyOf,
  anyOrNone,
  byId,
  count,
  done,
  email,
  fileContent,
  id,
  byIds,
  listOf,
  moment,
  named,
  page,
  ref,
  text,
  yes,
  storedMoment,
} from './shapes.ts'
import { status } from './status.ts'

const { desk, handout, read, write, listFile, removal } = callsOf('voucher_batches')

export const quantity_max = 100_000

interface Span {
  valid_from?: string | null | undefined
  expires_at?: string | null | undefined
}
const endsAfterItBegins = ({ valid_from, expires_at }: Span) =>
  valid_from == null || expires_at == null || Date.parse(valid_from) < Date.parse(expires_at)
const endsInFuture = ({ expires_at }: Span) => expires_at == null || Date.parse(expires_at) > Date.now()

/** Valid in one property or, without one, in the whole group: one of the two is required. */
export const VoucherBatchInput = z
  .object({
    quantity: z.int().min(1).max(quantity_max),
    /** What it is for; printed on its slips, and searchable. */
    name: text(120).nullish(),
    note: text(500).nullish(),
    package_id: ref('packages'),
    property_id: ref('properties').nullish(),
    group_id: ref('groups').nullish(),
    /** Above 0 it replaces the package's. */
    volume_gb: amount.default(0),
    speed_mbps: amount.default(0),
    /** Number of devices per code; 0: as many as the package allows. */
    devices: count.default(0),
    /** If set, guests must type it in addition to the code. */
    password: text(60).nullish(),
    valid_from: storedMoment.nullish(),
    /** A fixed end; without it a voucher's time starts at its first use. */
    expires_at: storedMoment.nullish(),
    active: yes,
  })
  .refine(endsAfterItBegins, { path: ['expires_at'], message: 'Please choose a time after the start' })
  .refine(endsInFuture, { path: ['expires_at'], message: 'Please choose a time in the future' })
/** One code shared by several people, such as the guests of a wedding: valid for a number of devices, until it ends. */
export const EventVoucher = z.object({
  name: text(120).nullish(),
  devices: z.int().min(1).max(100_000),
  expires_at: storedMoment.refine((end) => endsInFuture({ expires_at: end }), 'Please choose a time in the future'),
})
export const VoucherBatchRow = z.object({
  id,
  batch_number: z.string(),
  name: z.string().nullable(),
  note: z.string().nullable(),
  quantity: count,
  /** Number of codes used at least once. */
  redeemed: count,
  /** Number of codes that were neither used nor taken back. */
  left: count,
  package: named,
  property: named.nullable(),
  group: named.nullable(),
  volume_gb: z.number(),
  speed_mbps: z.number(),
  devices: count,
  has_password: z.boolean(),
  valid_from: moment.nullable(),
  expires_at: moment.nullable(),
  status,
  active: z.boolean(),
  created_at: moment,
})
export const VoucherBatch = z
  .object({
    ...VoucherBatchRow.shape,
    package_id: id,
    property_id: id.nullable(),
    group_id: id.nullable(),
    /** Null for callers who are not editors. */
    password: z.string().nullable(),
  })
  .meta({ id: 'VoucherBatch' })

/** The labels of its fields. */
export const fields = fieldsOf(
  [VoucherBatchInput, VoucherBatch, VoucherBatchRow],
  {
    quantity: 'How many',
    devices: 'Devices per code',
    expires_at: 'Valid until',
    volume_gb: 'Data',
    speed_mbps: 'Speed',
  },
  {
    vouchers: ['quantity', 'property_id', 'group_id', 'package_id'],
    purpose: ['name', 'note'],
    limits: ['volume_gb', 'speed_mbps', 'devices'],
    validity: ['valid_from', 'expires_at', 'password'],
  },
)

export const formats = ['csv', 'xlsx', 'pdf'] as const
/** `a4`: sheets of slips to cut. `roll`: one slip after the other on 80 mm paper. */
export const papers = ['a4', 'roll'] as const

/** `left`: whether there are codes to give out: unused, not withdrawn, and of an active batch that has not ended. */
const BatchFilters = {
  status: anyOf(status),
  left: anyOf(z.boolean()),
  package_id: anyOf(id),
  property_id: anyOrNone(id),
}
const BatchParams = { property_id: ref('properties').optional(), group_id: ref('groups').optional() }

export const list = read(
  '/voucher-batches',
  listOf(BatchFilters, BatchParams, ['-created_at', 'created_at']),
  page(VoucherBatchRow),
)
export const exportList = listFile('/voucher-batches-list-export', list)
export const get = read('/voucher-batches/{id}', byId('voucher_batches'), VoucherBatch)
export const create = desk('/voucher-batches-create', VoucherBatchInput, VoucherBatch)
export const duplicate = desk('/voucher-batches-duplicate', byId('voucher_batches'), VoucherBatch)
/** Codes are worth money: viewers cannot download them. */
export const exportCodes = handout(
  '/voucher-batches-export',
  byId('voucher_batches').extend({ format: z.enum(formats).default('csv'), paper: z.enum(papers).default('a4') }),
  fileContent,
)
/** More than this are sent as a file, not in a mail. */
export const mailed_max = 200
/** Mails the unused codes; answers how many. */
export const sendCodes = write(
  '/voucher-batches-send',
  byId('voucher_batches').extend({ email }),
  z.object({ sent: count }),
)
export const activate = desk('/voucher-batches-activate/{id}', byId('voucher_batches'), VoucherBatch)
export const deactivate = write('/voucher-batches-deactivate', byIds('voucher_batches'), done)
export const remove = removal('/vouchers-delete', byId('voucher_batches'), done)
