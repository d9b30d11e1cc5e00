// Translation of the generic webhook: what is posted, checked and turned into stay updates.
import { z } from 'zod'
import { fieldErrors } from '#contract/field-errors.ts'
import { stays_at_once_max } from '#server/property-systems/definition.ts'
import { stay_key_chars_max, type ReportedStay, type StayUpdate } from '#server/stays/stay-updates.ts'

const line = z.string().max(500)
const orNull = line.nullish().transform((value) => value ?? null)
const day = z.iso
  .date()
  .nullish()
  .transform((value) => value ?? null)

const Guest = z.object({
  last_name: orNull,
  first_name: orNull,
  email: orNull,
  mobile_number: orNull,
  language: line.nullish(),
})
const stay_key = z.string().trim().min(1).max(stay_key_chars_max)
const Stay = z.object({
  stay_key,
  room: z.string().trim().min(1).max(50),
  guests: z.array(Guest).max(20).default([]),
  arrives_on: day,
  departs_on: day,
  until_time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d(:00)?$/)
    .nullish()
    .transform((value) => value?.slice(0, 5) ?? null),
  no_show: z.boolean().default(false),
  may_be_charged: z.boolean().default(true),
  in_dispute: z.boolean().default(false),
})
const occurred_at = z.iso.datetime({ offset: true })

const Message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('stay.changed'), occurred_at, data: Stay }),
  z.object({ type: z.literal('stay.ended'), occurred_at, data: z.object({ stay_key }) }),
  z.object({
    type: z.literal('stays.all'),
    occurred_at,
    data: z.union([
      z.array(Stay).max(stays_at_once_max),
      z.object({ stays: z.array(Stay).max(stays_at_once_max) }).transform(({ stays }) => stays),
    ]),
  }),
])

/** An update dated in the future would keep all later ones from counting. */
const ahead_max_ms = 5 * 60 * 1000

export function read(body: unknown): { updates: StayUpdate[] } | { errors: Record<string, string[]> } {
  const checked = Message.safeParse(body)
  if (!checked.success) return { errors: fieldErrors(checked.error) }
  const { type, data, occurred_at: when } = checked.data
  const at = new Date(when)
  if (at.getTime() > Date.now() + ahead_max_ms) return { errors: { occurred_at: ['This is ahead of our clock'] } }
  switch (type) {
    case 'stay.changed': {
      const { stay_key: key, ...fields } = data
      return { updates: [{ kind: 'stay', stay_key: key, at, fields: reportedStay(fields), is_complete: true }] }
    }
    case 'stay.ended':
      return { updates: [{ kind: 'ended', stay_key: data.stay_key, at }] }
    case 'stays.all': {
      const keys = new Set(data.map((stay) => stay.stay_key))
      if (keys.size < data.length) return { errors: { data: ['A stay_key stands in it twice'] } }
      const stays = data.map(({ stay_key: key, ...fields }) => ({ ...reportedStay(fields), stay_key: key }))
      return { updates: [{ kind: 'all', at, stays }] }
    }
  }
}

const reportedStay = ({ guests, ...rest }: Omit<z.output<typeof Stay>, 'stay_key'>): ReportedStay => ({
  ...rest,
  guests: guests.map(({ last_name, first_name, email, mobile_number }) => ({
    last_name,
    first_name,
    email,
    mobile_number,
  })),
})
