// Files: lists of all stays that are put into interfaces' inboxes, each read once. Only the newest counts, since each is the whole list.
// What was read is noted in the transaction that writes its stays, and put away afterwards: a node that is killed leaves nothing half
// done, and its lease lets no other node read meanwhile (server/due).
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { day_ms } from '#contract/days.ts'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { constants } from '#contract/constants.ts'
import { dayOrders } from '#contract/imports.ts'
import { callerOfJob, type Caller } from '#server/access/principal.ts'
import type { Doors } from '#server/access/doors.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { dueKind, queueDue, TriedInVain, type DueWork, type Settle } from '#server/due/due-work.ts'
import { shelves, type Inbox, type InboxFile, type Shelf } from '#server/files/inbox.ts'
import { openUploadFolder } from '#server/files/receive.ts'
import { readRoomList } from '#server/imports/room-list.ts'
import type { Queue } from '#server/jobs/queue.ts'
import type { Seal } from '#server/secrets/seal.ts'
import type { Log } from '#server/watch/log.ts'
import { receiveUpdates } from './receive-updates.ts'
import { interfaceName, interfaceOf, type Interface } from './interfaces.ts'
import { markDown, addLinkRecords } from './link-state.ts'
import type { FileSystem, ListedRoom } from './kind.ts'
import { stays_at_once_max } from './definition.ts'
import { systemOf } from './kinds.ts'
import { interfaceAt } from './interface-settings.ts'
import { knownStays } from './stay-keys.ts'

const { file_bytes_max } = constants.import
/** A file that has not changed for as long is complete, also without `.done` beside it. */
const settled_ms = 60_000
const kept_days: Record<Shelf, number> = { done: 7, failed: 30 }
const kept_files_max = 100
/** Names under which programs write what is not complete yet. */
const unfinished = /\.(?:tmp|temp|part|partial|filepart|crdownload|swp)$|~$/i
const done_mark = /\.done$/i

const fileKind = dueKind('property_file')

interface Needs {
  tenancy: Tenancy
  queue: Queue
  inbox: Inbox
}

/** What lies in an inbox, and may be read. */
interface Found {
  /** Complete, the newest first; of those of one moment the first by name. */
  files: InboxFile[]
  /** `.done`, by what it stands beside; those of no file are left over. */
  marks: Map<string, InboxFile>
}
async function lookInto(inbox: Inbox, address: string): Promise<Found> {
  const all = await inbox.list(address)
  const marks = new Map(all.filter(isMark).map((mark) => [mark.id.replace(done_mark, ''), mark]))
  const before = Date.now() - settled_ms
  const files = all.filter(
    (file) =>
      !isMark(file) && !unfinished.test(file.name) && (marks.has(file.id) || file.changed_at.getTime() <= before),
  )
  return { files: files.toSorted(newestFirst), marks: new Map([...marks].filter(([, mark]) => mark.is_file)) }
}
const isMark = ({ id }: InboxFile) => done_mark.test(id)
const newestFirst = (one: InboxFile, other: InboxFile) =>
  other.changed_at.getTime() - one.changed_at.getTime() || (one.name < other.name ? -1 : 1)

/** The same file once more is no other one. */
const noteOf = ({ id, byte_size, changed_at }: InboxFile) =>
  createHash('sha256')
    .update(JSON.stringify([id, byte_size, changed_at]))
    .digest('hex')
const messageId = (shelf: Shelf, file: InboxFile) => `file ${shelf} ${noteOf(file)}`

export const fileWork: DueWork<Needs> = {
  kind: fileKind,
  about: interfaceName,
  promise: 'repeated',
  // People who import wait for the same readers.
  at_once: 1,
  of_one_customer: 1,
  tries_max: 10,
  wait_s: (tries) => Math.min(10 * 2 ** tries, 600),
  run: async ({ tenancy, queue, inbox }, { about_id, caller }) => {
    const of = await tenancy.enter(caller, 'read', (scope) => interfaceOf(scope, about_id))
    const reading = of && systemOf(of.type_id)?.files
    if (!of || !reading || of.property_id === null) return
    const { uuid, property_id } = of
    const { files, marks } = await lookInto(inbox, uuid)
    const { noted, last_at } = await tenancy.enter(caller, 'read', (scope) => knownOf(scope, of, files))
    const putAway = async (file: InboxFile, shelf: Shelf) => {
      const mark = marks.get(file.id)
      await inbox.putAway(uuid, file.id, shelf)
      if (mark) await inbox.remove(uuid, mark.id)
    }
    const open: InboxFile[] = []
    let older = 0
    for (const file of files) {
      const shelf = shelves.find((one) => noted.has(messageId(one, file)))
      if (shelf) await putAway(file, shelf)
      else if (last_at !== null && file.changed_at < last_at) {
        older++
        await putAway(file, 'done')
      } else open.push(file)
    }
    await sweep(inbox, uuid, marks, files)
    const [file] = open
    if (!file) return older === 0 ? undefined : async (scope) => addLinkRecords(scope, of.id, sayOlder(older))
    const read = await readFile({ tenancy, inbox }, caller, { ...of, property_id }, file)
    const settle: Settle = async (scope) => {
      await settleFile(scope, queue, { of, reading, file, read })
      await addLinkRecords(scope, of.id, sayOlder(older))
      // It is put away, and the next one is read.
      return { waits_s: 0 }
    }
    return settle
  },
}

const sayOlder = (files: number) =>
  files === 0
    ? []
    : [
        {
          sentence: `${files === 1 ? 'A list is' : `${files} lists are`} older than the last one read, and skipped`,
          personal: null,
        },
      ]

/** Which of the files were read, and of when the newest list is. */
async function knownOf(scope: Scope, { id }: Interface, files: readonly InboxFile[]) {
  const ids = files.flatMap((file) => shelves.map((shelf) => messageId(shelf, file)))
  const rows = await scope.run(sql<ColumnsOf<'told_messages', 'message_id'>>`
    select t.message_id from told_messages as t where t.property_interface_id = ${id} and t.message_id = any(${ids})
      and ${scope.inReach('told_messages', 't')}`)
  const [last] = await scope.run(sql<{ at: string | null }>`
    select greatest(max(t.told_at), (select (l.pending ->> 'at')::timestamptz from property_links as l
      where l.property_interface_id = ${id} and ${scope.inReach('property_links', 'l')})) as at
    from told_stays as t where t.property_interface_id = ${id} and ${scope.inReach('told_stays', 't')}`)
  return {
    noted: new Set(rows.map(({ message_id }) => message_id)),
    last_at: last?.at == null ? null : new Date(last.at),
  }
}

type Read = { rooms: ListedRoom[] } | { refused: string }

async function readFile(
  { tenancy, inbox }: Pick<Needs, 'tenancy' | 'inbox'>,
  caller: Caller,
  of: Interface & { property_id: number },
  file: InboxFile,
): Promise<Read> {
  const refused = (sentence: string) => ({ refused: `${file.name}: ${sentence}` })
  if (!file.is_file) return refused('This is a link, not a file.')
  if (file.byte_size > file_bytes_max) return refused(`This file is larger than ${file_bytes_max / 1_024_000} MB.`)
  const folder = await openUploadFolder()
  try {
    const target = path.join(folder, 'list')
    const isThere = await inbox.copy(of.uuid, file.id, { target, byte_size_max: file_bytes_max })
    if (!isThere) throw new TriedInVain(`${file.name} changed while it was read.`, { retry_after_s: 10 })
    const { sheet, day_order } = of.settings
    const read = await readRoomList(tenancy, caller, {
      path: target,
      property_id: of.property_id,
      sheet: typeof sheet === 'string' ? sheet : null,
      day_order: dayOrders.find((order) => order === day_order) ?? null,
    })
    if ('unread' in read) {
      const { row, sentence } = read.unread
      return row === null ? refused(sentence) : { refused: `${file.name}, row ${row}: ${sentence}` }
    }
    const guests = read.rooms.reduce((sum, room) => sum + room.guests.length, 0)
    if (guests > stays_at_once_max) return refused(`This list has more than ${stays_at_once_max} guests.`)
    return read
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function settleFile(
  scope: Scope,
  queue: Queue,
  { of, reading, file, read }: { of: Interface; reading: FileSystem; file: InboxFile; read: Read },
) {
  const now = await interfaceOf(scope, of.id)
  // What was changed on the form meanwhile holds: it is read again.
  if (JSON.stringify(now) !== JSON.stringify(of)) return
  await scope.insert('told_messages', {
    property_interface_id: of.id,
    message_id: messageId('refused' in read ? 'failed' : 'done', file),
  })
  if ('refused' in read) {
    await markDown(scope, of.id, read.refused)
    await addLinkRecords(scope, of.id, [{ sentence: read.refused, personal: null }])
    return
  }
  const stays = reading.stays(read.rooms, await knownStays(scope, of.id))
  await addLinkRecords(scope, of.id, [{ sentence: `${file.name} was read`, personal: null }])
  await receiveUpdates(scope, queue, of, [{ kind: 'all', at: file.changed_at, stays }])
}

/** Marks of no file, and what has been kept for long enough. */
async function sweep(inbox: Inbox, address: string, marks: Found['marks'], files: readonly InboxFile[]) {
  const beside = new Set(files.map(({ id }) => id))
  const before = Date.now() - settled_ms
  for (const [id, mark] of marks)
    if (!beside.has(id) && mark.changed_at.getTime() <= before) await inbox.remove(address, mark.id)
  for (const shelf of shelves) {
    const kept = (await inbox.list(address, shelf)).toSorted(newestFirst)
    const oldest = new Date(Date.now() - kept_days[shelf] * day_ms)
    for (const [at, { id, changed_at }] of kept.entries())
      if (at >= kept_files_max || changed_at < oldest) await inbox.remove(address, id, shelf).catch(() => {})
  }
}

const look_ms = 5000
/** Of an inbox that was looked into. */
const rest_ms = 15_000
/** Of one that nobody has, or whose interface is disabled. */
const nobodys_rest_ms = 60_000

/** Looks for files that have come, in each node with the role `jobs`. */
export function openInboxes(needs: Needs & { guestDoors: Pick<Doors, 'callFunction'>; seal: Seal; log: Log }): {
  close(): Promise<void>
} {
  const { tenancy, queue, inbox, log } = needs
  const rests_until = new Map<string, number>()
  let looking: Promise<void> | undefined

  async function look() {
    const addresses = new Set(await inbox.addresses())
    for (const address of rests_until.keys()) if (!addresses.has(address)) rests_until.delete(address)
    for (const address of addresses) {
      if ((rests_until.get(address) ?? 0) > Date.now()) continue
      rests_until.delete(address)
      const { files } = await lookInto(inbox, address)
      if (files.length === 0) continue
      const found = await interfaceAt(needs, address)
      const isRead = found && systemOf(found.type_id)?.files !== undefined
      rests_until.set(address, Date.now() + (isRead ? rest_ms : nobodys_rest_ms))
      if (isRead)
        await tenancy.enter(callerOfJob(found.customer_id, 'property system'), 'write', (scope) =>
          queueDue(scope, queue, fileKind, [{ about_id: found.id, urgent: true }]),
        )
    }
  }
  const timer = setInterval(() => {
    looking ??= look()
      .catch((err: unknown) => log.warn({ err }, 'files of property systems could not be looked up'))
      .finally(() => (looking = undefined))
  }, look_ms)
  return {
    async close() {
      clearInterval(timer)
      await looking
    },
  }
}
