// Translation of FIAS: records into stay updates. Fields and records that are not known mean nothing; a field may stand in a record twice.
import { createCipheriv, randomBytes } from 'node:crypto'
import {
  nameless,
  stays_max,
  type RoomKeyed,
  type ReportedGuest,
  type ReportedStay,
  type StayUpdate,
} from '#server/stays/stay-updates.ts'

export interface FiasRecord {
  id: string
  fields: readonly (readonly [name: string, value: string])[]
}

/** `GI|RN204|G#4711|`; null for what is none. */
export function recordIn(text: string): FiasRecord | null {
  const [id = '', ...rest] = text.split('|')
  if (!/^[A-Z][A-Z0-9]$/.test(id)) return null
  const fields = rest
    .filter((field) => field.length >= 2)
    .map((field) => [field.slice(0, 2), field.slice(2).trim()] as const)
  return { id, fields }
}

export const fieldIn = ({ fields }: FiasRecord, name: string): string | undefined =>
  fields.find(([key]) => key === name)?.[1]

/** YYMMDD. */
const dayOf = (value: string | undefined) =>
  value !== undefined && /^\d{6}$/.test(value) ? `20${value.slice(0, 2)}-${value.slice(2, 4)}-${value.slice(4)}` : null

/** Without a reservation's number the room is all that is known. */
function keyOf(record: FiasRecord, of_room: RoomKeyed): { stay_key: string; of_room?: RoomKeyed } {
  const number = fieldIn(record, 'G#')
  return number ? { stay_key: number } : { stay_key: `room ${fieldIn(record, 'RN') ?? ''}`, of_room }
}

/** What stands before a name, at sites that have no field for it: `Frau Prof. Dr. Hart`. */
const title =
  /^(?:mr|mrs|ms|miss|dr|prof|herr|frau|mme|mlle|m|sr|sra|sig|monsieur|madame)\.?\s+(?:(?:dr|prof)\.?\s+)*(?=\S)/i

/** A field that is not listed stands in no guest. */
function guestOf(record: FiasRecord): Partial<ReportedGuest> {
  const [given, first] = [fieldIn(record, 'GN')?.replace(title, ''), fieldIn(record, 'GF')]
  // `Hart, Ada`, where the first name has no field of its own.
  const [, family, rest] = /^([^,]+),\s*(\S.*)$/.exec(given ?? '') ?? []
  if (first === undefined && family !== undefined) return { last_name: family.trim(), first_name: rest ?? null }
  return { ...(given !== undefined && { last_name: given }), ...(first !== undefined && { first_name: first }) }
}

function stayFieldsIn(record: FiasRecord): Extract<StayUpdate, { kind: 'stay' }>['fields'] {
  const has = (name: string) => fieldIn(record, name) !== undefined
  return {
    ...(has('RN') && { room: fieldIn(record, 'RN') ?? '' }),
    ...((has('GN') || has('GF')) && { guests: [guestOf(record)] }),
    ...(has('GA') && { arrives_on: dayOf(fieldIn(record, 'GA')) }),
    ...(has('GD') && { departs_on: dayOf(fieldIn(record, 'GD')) }),
    ...(has('NP') && { may_be_charged: fieldIn(record, 'NP') !== 'Y' }),
  }
}

/** The class of service is a scale of telephones: nothing of it is of use here but 0, which is barred. */
function roomUpdates(record: FiasRecord): StayUpdate[] {
  const [room, service, disturb] = [fieldIn(record, 'RN'), fieldIn(record, 'CS'), fieldIn(record, 'DN')]
  if (!room) return []
  const fields = {
    ...(service !== undefined && /^[0-3]$/.test(service) && { barred: service === '0' }),
    ...((disturb === 'Y' || disturb === 'N') && { do_not_disturb: disturb === 'Y' }),
  }
  return Object.keys(fields).length > 0 ? [{ kind: 'room', room, fields }] : []
}

const key_bytes = 16

/** An interface key (IfcAuthKey), as newer sites ask for one. */
export const isInterfaceKey = (text: string) =>
  /^[A-Za-z0-9+/]{22}==$/.test(text) && Buffer.from(text, 'base64').length === key_bytes

/**
 * The key seals the moment at which the other side began the link.
 * @param began day and time of the other side's LS, as `170831102201`
 */
export function sealedMoment(key: string, began: string, iv = randomBytes(16)): string {
  const cipher = createCipheriv('aes-128-cbc', Buffer.from(key, 'base64'), iv)
  const sealed = Buffer.concat([cipher.update(began, 'latin1'), cipher.final()])
  return `FidCryptAB;${iv.toString('base64')}${sealed.toString('base64')}`
}

/** Follows the records of one connection: those of a database swap are one list, and what happens meanwhile is newer than it. */
export class FiasReader {
  private swap: {
    at: Date
    stays: Map<string, ReportedStay & { stay_key: string; arrived: true; of_room?: RoomKeyed }>
  } | null = null
  private last: number
  private readonly clock: () => number

  /** @param last_told when the newest update of this interface was, by whichever node's clock */
  constructor(last_told = 0, clock: () => number = Date.now) {
    this.last = last_told
    this.clock = clock
  }

  /** What is said; nothing for records of the link, and for those within a swap until it is complete. */
  updates(record: FiasRecord): StayUpdate[] {
    const at = this.now()
    switch (record.id) {
      case 'DS':
        this.swap = { at, stays: new Map() }
        return []
      case 'DE': {
        const swap = this.endSwap()
        return swap ? [{ kind: 'all', at: swap.at, stays: [...swap.stays.values()] }] : []
      }
      case 'GI':
        return this.arrival(record, at)
      case 'GC':
        return this.change(record, at)
      case 'GO':
        return this.departure(record, at)
      case 'RE':
        return roomUpdates(record)
      case 'PL':
        return this.named(record, at)
      default:
        return []
    }
  }

  get isSwapping() {
    return this.swap !== null
  }
  /** What it has told so far is a list only once it is complete. */
  endSwap() {
    const { swap } = this
    this.swap = null
    return swap
  }

  private arrival(record: FiasRecord, at: Date): StayUpdate[] {
    const isOfSwap = fieldIn(record, 'SF') !== undefined
    const key = keyOf(record, fieldIn(record, 'GS') === 'Y' ? 'shared' : 'taken')
    const fields = stayFieldsIn(record)
    if (isOfSwap && this.swap) {
      // One more than are taken says that they are too many.
      if (this.swap.stays.size > stays_max) return []
      const { room = '', guests = [], arrives_on = null, departs_on = null, may_be_charged = true } = fields
      const rest = { until_time: null, no_show: false, arrived: true as const }
      // Those who share a room have one key where they have no numbers.
      const sharers = key.of_room ? (this.swap.stays.get(key.stay_key)?.guests ?? []) : []
      this.swap.stays.set(key.stay_key, {
        ...key,
        room,
        arrives_on,
        departs_on,
        may_be_charged,
        ...rest,
        guests: [...sharers, ...guests.map((guest) => ({ ...nameless, ...guest }))],
      })
      return []
    }
    // With the flag only what is listed is compared; without it all that is not listed is as usual.
    return [
      { kind: 'stay', ...key, at, fields, is_complete: !isOfSwap, arrived: true, alone: fieldIn(record, 'GS') === 'N' },
    ]
  }

  /** Who is in a room, as it was asked: one after the other, in fields of the same names. */
  private named(record: FiasRecord, at: Date): StayUpdate[] {
    const guests: (readonly [string, string])[][] = []
    for (const field of record.fields) {
      const last = guests.at(-1)
      if (!last || last.some(([name]) => name === field[0])) guests.push([field])
      else last.push(field)
    }
    const room = fieldIn(record, 'RN')
    return guests.flatMap((listed): StayUpdate[] => {
      const one = { id: 'PL', fields: listed }
      const fields = { ...(room !== undefined && { room }), ...stayFieldsIn(one) }
      if (!fieldIn(one, 'G#') || !fields.room || !fields.guests) return []
      return [{ kind: 'stay', ...keyOf(one, 'shared'), at, fields, arrived: true }]
    })
  }

  private change(record: FiasRecord, at: Date): StayUpdate[] {
    // Of a move the first flag is of the new room, the second one of the old.
    const [here, there] = record.fields.filter(([name]) => name === 'GS').map(([, value]) => value)
    const from = fieldIn(record, 'RO')
    return [
      {
        kind: 'stay',
        ...keyOf(record, from === undefined ? 'changed' : here === 'Y' ? 'shared' : 'taken'),
        at,
        fields: stayFieldsIn(record),
        arrived: true,
        alone: from !== undefined && here === 'N',
        vacated_room: from !== undefined && there === 'N' ? from : null,
      },
    ]
  }

  private departure(record: FiasRecord, at: Date): StayUpdate[] {
    const room = fieldIn(record, 'RN') ?? ''
    // A vacant room in a swap says nothing that the list does not.
    if (fieldIn(record, 'SF') !== undefined && this.swap) return []
    const stay_key = fieldIn(record, 'G#')
    if (stay_key) return [{ kind: 'ended', stay_key, at }]
    return room === '' ? [] : [{ kind: 'vacated', room, at }]
  }

  /** Each record is newer than all that was told before, also where our clock is set back, or is behind that of another node. */
  private now() {
    this.last = Math.max(this.last + 1, this.clock())
    return new Date(this.last)
  }
}
