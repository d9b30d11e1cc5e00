// File drop: a list of rooms and guests that is put into an inbox is read once, and its stays come in; what cannot be read is named.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { addDays } from '#contract/days.ts'
import * as interfaces from '#contract/property-interfaces.ts'
import { openInbox } from '#server/files/open-storage.ts'
import type { Inbox } from '#server/files/inbox.ts'
import { openBucketServer, type BucketServer } from '#test/bucket-server.ts'
import { tryDue } from '#test/due.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { pngOf } from '#test/pictures.ts'
import { workbookOf } from '#test/workbooks.ts'
import { fileWork, openInboxes } from './files.ts'

let foyer: TestFoyer
let editor: Person
let root: string
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
  root = path.join(foyer.data_dir, 'inbox')
})
afterAll(() => foyer.close())

const today = new Date().toISOString().slice(0, 10)
let property_id: number
let id: number
let folder: string
const open = async (settings: Record<string, string | number> = {}) => {
  property_id = (await foyer.property(editor, { time_zone: 'Atlantic/Reykjavik' })).id
  await foyer.rooms(editor, property_id, ['201', '202', '203', '204', '205', '206', '207', '208', '209', '210'])
  const made = await foyer.propertyInterface(editor, {
    property_interface_type_id: 6,
    owner_type: 'Property',
    owner_id: property_id,
    settings: { grace_minutes: 0, ...settings },
  })
  id = made.id
  folder = path.join(root, made.uuid)
  fs.mkdirSync(folder, { recursive: true })
}
beforeEach(() => open())

/** Seconds: each file is of a moment later than the one before. */
let clock = Date.now() - 3_600_000
/** Complete, unless it is `fresh`. */
function drop(name: string, content: string | Buffer, at = new Date((clock += 1000))) {
  const file = path.join(folder, name)
  fs.writeFileSync(file, content)
  fs.utimesSync(file, at, at)
  return file
}
const listOf = (...rows: string[]) => ['Room,First name,Last name,Reservation,Arrival,Departure', ...rows].join('\n')
const row = (room: string, name: string, reservation = '') => {
  const [first, last] = name.split(' ')
  return `${room},${first},${last},${reservation},${today},${addDays(today, 3)}`
}

const bookOf = (rows: string[][]) =>
  workbookOf(
    rows
      .map((cells) => `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`)
      .join(''),
  )

const work = fileWork
const once = (inbox: Inbox = foyer.services.inbox) =>
  tryDue(work, { ...foyer.services, inbox }, { customer_id: editor.user.customer.id, about_id: id })
async function read(inbox?: Inbox) {
  while ((await once(inbox)) === 'waits');
}
const house = async () =>
  (
    await foyer.query<{ who: string }>(
      `select room_number || ' ' || coalesce(name, '–') as who from room_guests
       where property_id = $1 and deleted_at is null order by 1`,
      [property_id],
    )
  ).map(({ who }) => who)
const state = async () => (await foyer.get(interfaces.get, { id }, editor)).data.state
const log = async () => (await foyer.get(interfaces.log, { id }, editor)).data.map(({ sentence }) => sentence)
const names = (...shelf: string[]) => {
  const at = path.join(folder, ...shelf)
  if (!fs.existsSync(at)) return []
  return fs
    .readdirSync(at, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => name.replace(/^\S+Z /, ''))
    .toSorted()
}

describe('a list', () => {
  test('brings the stays of those who live there, and is put away', async () => {
    drop('guests.csv', listOf(row('201', 'Ada Hart', '11'), row('201', 'Ben Hart', '11'), row('202', 'Cy Weber', '12')))
    await read()
    expect(await house()).toEqual(['201 Ada Hart', '201 Ben Hart', '202 Cy Weber'])
    expect(await state()).toMatchObject({ word: 'up' })
    expect(await log()).toEqual([
      'The whole list was processed: 2 stays.',
      `Arrival in room 202, until ${addDays(today, 3)}: Cy Weber`,
      `Arrival in room 201, until ${addDays(today, 3)}: Ada Hart, Ben Hart`,
      'guests.csv was read',
    ])
    expect([names(), names('done'), names('failed')]).toEqual([[], ['guests.csv'], []])
  })

  test('is a difference: who is not in it any more has left, and who moves takes their devices along', async () => {
    drop('a.csv', listOf(row('201', 'Ada Hart', '11'), row('202', 'Cy Weber', '12')))
    await read()
    const [ada] = await foyer.query<{ id: number }>('select id from room_guests where property_id = $1 and name = $2', [
      property_id,
      'Ada Hart',
    ])
    drop('b.csv', listOf(row('205', 'Ada Hart', '11'), row('203', 'Eve Ode', '13')))
    await read()
    expect(await house()).toEqual(['203 Eve Ode', '205 Ada Hart'])
    const [moved] = await foyer.query('select id, room_number from room_guests where id = $1', [ada?.id])
    expect(moved).toEqual({ id: ada?.id, room_number: '205' })
  })

  test('as a workbook, of people in house by their state', async () => {
    const rows = [
      ['Unit', 'Resident', 'Status'],
      ['201', 'Ada Hart', 'Current'],
      ['202', 'Cy Weber', 'Past'],
      ['203', '', 'Vacant'],
      ['204', 'Eve Ode', 'Applicant'],
    ]
    drop('rent roll.xlsx', bookOf(rows))
    await read()
    expect(await house()).toEqual(['201 Ada Hart'])
  })

  test('without numbers of reservations knows its guests again by room and name', async () => {
    const guests = () =>
      foyer.query<{ id: number }>(
        'select id from room_guests where property_id = $1 and deleted_at is null order by id',
        [property_id],
      )
    drop('a.csv', 'Room,Guest\n201,Ada Hart\n201,Ben Hart\n202,Cy Weber')
    await read()
    const before = await guests()
    drop('b.csv', 'Room,Guest\n202,Cy Weber\n201,Ben Hart\n201,ADA HART')
    await read()
    expect(await guests()).toEqual(before)
    expect(before).toHaveLength(3)
  })

  test('whose reservation has several rooms keeps who is in which', async () => {
    drop('a.csv', listOf(row('201', 'Ada Hart', '77'), row('202', 'Cy Weber', '77'), row('203', 'Eve Ode', '77')))
    await read()
    const ids = () =>
      foyer.query<{ id: number; name: string }>(
        'select id, name from room_guests where property_id = $1 and deleted_at is null order by id',
        [property_id],
      )
    const [ada, cy, eve] = await ids()
    drop('b.csv', listOf(row('203', 'Eve Ode', '77'), row('202', 'Cy Weber', '77')))
    await read()
    expect(await house()).toEqual(['202 Cy Weber', '203 Eve Ode'])
    expect(await ids()).toEqual([cy, eve])
    // Whose room was left is in none: who comes into the reservation is.
    drop('c.csv', listOf(row('202', 'Cy Weber', '77'), row('203', 'Eve Ode', '77'), row('204', 'New Comer', '77')))
    await read()
    expect(await house()).toEqual(['202 Cy Weber', '203 Eve Ode', '204 New Comer'])
    expect((await ids()).slice(0, 2)).toEqual([cy, eve])
    // Nor does anybody get the record of whoever has left, also once nobody else of the reservation is there.
    const others = ['202', '203', '204'].map((room) => row(room, `Ian O${room}`, room))
    drop('d.csv', listOf(...others))
    await read()
    drop('e.csv', listOf(...others, row('201', 'Late Comer', '77')))
    await read()
    expect((await house())[0]).toBe('201 Late Comer')
    expect(await foyer.query('select name from room_guests where id = $1', [ada?.id])).toEqual([{ name: 'Ada Hart' }])
  })

  test('that would empty more than a fifth of the rooms waits for a person', async () => {
    drop('a.csv', listOf(...['201', '202', '203', '204'].map((room, at) => row(room, `G${at} Hart`, String(at)))))
    await read()
    drop('b.csv', listOf(row('201', 'G0 Hart', '0')))
    await read()
    expect(await house()).toHaveLength(4)
    expect(await state()).toMatchObject({ word: 'confirm', moves_out: 3 })
    expect(names('done')).toEqual(['a.csv', 'b.csv'])
    await foyer.get(interfaces.confirm, { id, moves_out: 3 }, editor)
    expect(await house()).toEqual(['201 G0 Hart'])
  })
})

describe('a file counts', () => {
  test('when it has not changed for a minute, or NAME.done stands beside it', async () => {
    const fresh = new Date()
    drop('guests.csv', listOf(row('201', 'Ada Hart', '1')), fresh)
    await read()
    expect([await house(), names()]).toEqual([[], ['guests.csv']])
    drop('guests.csv.done', '', fresh)
    await read()
    expect(await house()).toEqual(['201 Ada Hart'])
    expect(names()).toEqual([])
  })

  test('unless its name says that it is still written; a mark of no file does not make the next one count', async () => {
    for (const name of ['.guests.csv', 'guests.csv.tmp', 'guests.csv.filepart', 'guests.csv.part'])
      drop(name, listOf(row('201', 'Ada Hart', '1')))
    drop('later.csv.done', '')
    await read()
    expect(names()).toEqual(['.guests.csv', 'guests.csv.filepart', 'guests.csv.part', 'guests.csv.tmp'])
    expect(await house()).toEqual([])
  })

  test('of several only the newest is read, since each is the whole list', async () => {
    drop('c.csv', listOf(row('201', 'Ada Hart', '1')))
    drop('b.csv', listOf(row('202', 'Cy Weber', '2')))
    drop('a.csv', listOf(row('203', 'Eve Ode', '3')))
    await read()
    expect(await house()).toEqual(['203 Eve Ode'])
    expect((await log())[0]).toBe('2 lists are older than the last one read, and skipped')
    // One that comes late is older, too.
    drop('d.csv', listOf(row('204', 'Late Comer', '4')), new Date(clock - 5000))
    await read()
    expect(await house()).toEqual(['203 Eve Ode'])
    expect(names('done')).toEqual(['a.csv', 'b.csv', 'c.csv', 'd.csv'])
  })
})

describe('what cannot be read', () => {
  test('names the file and the row, changes nothing, and is put away', async () => {
    drop('a.csv', listOf(row('201', 'Ada Hart', '1')))
    await read()
    drop('b.csv', ['Room,Guest,Status', '201,Ada Hart,current', '202,Cy Weber,sort of there'].join('\n'))
    await read()
    const sentence = 'b.csv, row 3: Does “sort of there” live here now? Write current, past, future or vacant.'
    expect(await state()).toMatchObject({ word: 'down', sentence, last_error: sentence })
    expect((await log())[0]).toBe(sentence)
    expect([names(), names('failed')]).toEqual([[], ['b.csv']])
    expect(await house()).toEqual(['201 Ada Hart'])
    // And the next one is taken in.
    drop('c.csv', listOf(row('201', 'Ada Hart', '1'), row('202', 'Cy Weber', '2')))
    await read()
    expect(await state()).toMatchObject({ word: 'up', last_error: null })
    expect(await house()).toEqual(['201 Ada Hart', '202 Cy Weber'])
  })

  test.each([
    ['garbage', () => Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256))],
    ['nothing', () => ''],
    ['a picture', () => pngOf()],
    [
      'half a workbook',
      () =>
        bookOf([
          ['Room', 'Guest'],
          ['201', 'Ada Hart'],
        ]).subarray(0, 700),
    ],
    ['10 MB', () => Buffer.alloc(10_000_000, 'Room,Guest\n201,Ada Hart\n')],
    ['the wrong columns', () => 'Colour,Taste\nred,sweet'],
    ['UTF-16 cut in the middle of a letter', () => Buffer.from('Room,Guest\n201,Ada', 'utf16le').subarray(0, 21)],
  ])('%s', async (_, content) => {
    drop('good.csv', listOf(row('201', 'Ada Hart', '1')))
    await read()
    drop('bad.csv', await content())
    await read()
    expect((await state()).sentence).toMatch(/^bad\.csv(, row \d+)?: .+\.$/)
    expect([names(), names('failed'), await house()]).toEqual([[], ['bad.csv'], ['201 Ada Hart']])
  })

  test.each([
    ['Windows-1252', Buffer.from('Zimmer;Gast\n201;Jürgen Weiß', 'latin1'), '201 Jürgen Weiß'],
    ['UTF-16 with its mark', Buffer.from('\ufeffRoom\tGuest\n201\tŽofie Dvořák', 'utf16le'), '201 Žofie Dvořák'],
  ])('letters in %s are read', async (_, content, who) => {
    drop('list.csv', content)
    await read()
    expect(await house()).toEqual([who])
  })

  test('a day that may be meant in two ways asks for the setting, and is read with it', async () => {
    // Where the year comes first, the country does not show it.
    await foyer.query(`update properties set country_id = (select id from countries where code = 'JP') where id = $1`, [
      property_id,
    ])
    const list = 'Room,Guest,Arrival\n201,Ada Hart,03/04/2026'
    drop('a.csv', list)
    await read()
    expect((await state()).sentence).toMatch(/^a\.csv: Dates in this file can be read in two ways/)
    await foyer.get(interfaces.update, { id, settings: { day_order: 'day_first', grace_minutes: 0 } }, editor)
    drop('b.csv', list)
    await read()
    expect(await house()).toEqual(['201 Ada Hart'])
  })

  test('a link is not followed, wherever it leads; folders are let be', async () => {
    const outside = path.join(foyer.data_dir, 'outside.csv')
    fs.writeFileSync(outside, listOf(row('201', 'Not Ours', '1')))
    fs.symlinkSync(outside, path.join(folder, 'list.csv'))
    fs.symlinkSync('/etc/passwd', path.join(folder, 'passwd'))
    fs.mkdirSync(path.join(folder, 'archive'))
    fs.lutimesSync(path.join(folder, 'list.csv'), new Date(clock), new Date(clock))
    fs.lutimesSync(path.join(folder, 'passwd'), new Date(clock - 1000), new Date(clock - 1000))
    await read()
    expect(await house()).toEqual([])
    expect((await log()).toSorted()).toEqual([
      'list.csv: This is a link, not a file.',
      'passwd: This is a link, not a file.',
    ])
    expect(names('failed')).toEqual(['list.csv', 'passwd'])
    expect(fs.readFileSync(outside, 'utf8')).toContain('Not,Ours')
    expect(fs.existsSync(path.join(folder, 'archive'))).toBe(true)
  })

  test('an inbox that is a link leads nowhere', async () => {
    const elsewhere = path.join(foyer.data_dir, 'elsewhere')
    fs.mkdirSync(elsewhere, { recursive: true })
    fs.writeFileSync(path.join(elsewhere, 'a.csv'), listOf(row('201', 'Not Ours', '1')))
    fs.utimesSync(path.join(elsewhere, 'a.csv'), new Date(clock), new Date(clock))
    fs.rmdirSync(folder)
    fs.symlinkSync(elsewhere, folder)
    await read()
    expect(await house()).toEqual([])
    fs.unlinkSync(folder)
  })

  test('names in another encoding, and as long as can be, are files like others', async () => {
    const at = new Date((clock += 1000))
    const odd = Buffer.concat([Buffer.from(`${folder}/G`), Buffer.from([0xe4]), Buffer.from('ste.csv')])
    fs.writeFileSync(odd, listOf(row('201', 'Ada Hart', '1')))
    fs.utimesSync(odd, at, at)
    await read()
    expect(await house()).toEqual(['201 Ada Hart'])
    drop(`${'x'.repeat(250)}.csv`, listOf(row('202', 'Cy Weber', '2'), row('201', 'Ada Hart', '1')))
    await read()
    expect(await house()).toEqual(['201 Ada Hart', '202 Cy Weber'])
    expect(names()).toEqual([])
  })
})

describe('a node that is killed', () => {
  /** Fails before it has done what it is asked for. */
  const failing = (at: keyof Inbox): Inbox => ({
    ...foyer.services.inbox,
    [at]: () => Promise.reject(new Error('killed')),
  })
  test('while it reads leaves the file to the next one', async () => {
    drop('a.csv', listOf(row('201', 'Ada Hart', '1')))
    await once(failing('copy'))
    expect([await house(), names()]).toEqual([[], ['a.csv']])
    await read()
    expect(await house()).toEqual(['201 Ada Hart'])
  })
  test('once it is taken in, and not put away, does not have it read twice', async () => {
    drop('a.csv', listOf(row('201', 'Ada Hart', '1')))
    expect(await once()).toBe('waits')
    await once(failing('putAway'))
    expect(names()).toEqual(['a.csv'])
    await read()
    expect((await log()).filter((sentence) => sentence.includes('was read'))).toHaveLength(1)
    expect(names('done')).toEqual(['a.csv'])
  })
  test('while another one has it does not read it', async () => {
    drop('a.csv', listOf(row('201', 'Ada Hart', '1')))
    const reached = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const slow: Inbox = {
      ...foyer.services.inbox,
      async copy(...asked) {
        reached.resolve()
        await go.promise
        return foyer.services.inbox.copy(...asked)
      },
    }
    const first = once(slow)
    await reached.promise
    // Its lease has run out meanwhile: what it reads is not written.
    await foyer.query(
      `update due_work set next_at = now() - interval '1 second' where kind = 'property_file' and about_id = $1`,
      [id],
    )
    await read()
    go.resolve()
    expect(await first).toBe('lost')
    expect((await log()).filter((sentence) => sentence.includes('was read'))).toHaveLength(1)
    expect(await house()).toEqual(['201 Ada Hart'])
  })
})

test(
  '10,000 files are put away, the newest read, and the rest of the folder kept small',
  { timeout: 120_000 },
  async () => {
    const list = listOf(row('201', 'Old One', '1'))
    for (let at = 0; at < 10_000; at++) drop(`list ${at}.csv`, list, new Date(clock - 7_200_000 + at))
    drop('newest.csv', listOf(row('202', 'Ada Hart', '2')))
    await read()
    await read()
    expect(await house()).toEqual(['202 Ada Hart'])
    expect(names()).toEqual([])
    expect(names('done').length).toBeLessThanOrEqual(100)
    expect((await log()).length).toBeLessThan(10)
  },
)

test('what was read is kept for a week', async () => {
  fs.mkdirSync(path.join(folder, 'done'))
  for (const [name, days] of [
    ['old', 8],
    ['kept', 6],
  ] as const) {
    const at = new Date(Date.now() - days * 24 * 3_600_000)
    fs.writeFileSync(path.join(folder, 'done', `${name}.csv`), '')
    fs.utimesSync(path.join(folder, 'done', `${name}.csv`), at, at)
  }
  await read()
  expect(names('done')).toEqual(['kept.csv'])
})

test('nodes look for files that come; those of an interface that is disabled wait', { timeout: 60_000 }, async () => {
  drop('a.csv', listOf(row('201', 'Ada Hart', '1')))
  await foyer.get(interfaces.deactivate, { id }, editor)
  await read()
  expect([await house(), names()]).toEqual([[], ['a.csv']])
  await foyer.get(interfaces.activate, { id }, editor)
  const looking = openInboxes(foyer.services)
  try {
    await vi.waitFor(
      async () =>
        expect(
          await foyer.query(`select state from due_work where kind = 'property_file' and about_id = $1`, [id]),
        ).toEqual([{ state: 'waiting' }]),
      { timeout: 30_000 },
    )
  } finally {
    await looking.close()
  }
  await read()
  expect(await house()).toEqual(['201 Ada Hart'])
})

describe('in a bucket', () => {
  let server: BucketServer
  beforeAll(async () => void (server = await openBucketServer()))
  afterAll(() => server.close())
  test('files are read and put away alike', async () => {
    const inbox = await openInbox(server.bucket(), '/nowhere')
    const { uuid } = (await foyer.get(interfaces.get, { id }, editor)).data
    const source = path.join(foyer.data_dir, 'source')
    for (const [name, content] of [
      ['a ü.csv', listOf(row('201', 'Ada Hart', '1'))],
      ['a ü.csv.done', ''],
      ['open.csv', listOf(row('202', 'Cy Weber', '2'))],
    ] as const) {
      fs.writeFileSync(source, content)
      await inbox.put(uuid, name, source)
    }
    expect(await inbox.addresses()).toEqual([uuid])
    await read(inbox)
    expect(await house()).toEqual(['201 Ada Hart'])
    expect((await inbox.list(uuid)).map(({ name }) => name)).toEqual(['open.csv'])
    expect((await inbox.list(uuid, 'done')).map(({ name }) => name.replace(/^\S+ /, ''))).toEqual(['a ü.csv'])
  })
})
