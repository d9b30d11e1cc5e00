// Link of FIAS: how it comes up, is kept by one of several nodes and taken over; its key, its inquiries, and what is no record.
import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { describe, expect, test, vi } from 'vitest'
import * as interfaces from '#contract/property-interfaces.ts'
import { connect } from '#server/db/logins.ts'
import { noteOfTry } from '#server/property-systems/links.ts'
import type { LinkHost } from '#server/property-systems/kind.ts'
import { hart, patient, weber, withFias, type LinkedHouse } from '#test/fias.ts'
import { talk } from './link.ts'
import { openFias } from './simulation.ts'
import { sealedMoment } from './translation.ts'

let foyer: LinkedHouse['foyer']
let editor: LinkedHouse['editor']
let pms: LinkedHouse['pms']
let property_id: number
let id: number
const { links, openNode, house, expectHouse, state, isLinked, expectRead, askAbout } = withFias(
  (opened) => ({ foyer, editor, pms, property_id, id } = opened),
)
const rooms = Array.from({ length: 12 }, (_, at) => String(201 + at))

describe('the link', () => {
  test('comes up, asks once for all who are there, and then hears what happens', async () => {
    pms.guests.set('1', { key: '1', room: '201', name: 'There' })
    await isLinked()
    await expectHouse('201 There')
    expect(pms.received.filter((record) => record.startsWith('LR|')).map((record) => record.slice(3, 7))).toEqual([
      'RIGI',
      'RIGO',
      'RIGC',
      'RIRE',
    ])
    pms.checkIn(hart)
    await expectHouse('201 There', '204 Ada Hart')
    pms.move('4711', '206')
    await expectHouse('201 There', '206 Ada Hart')
    pms.checkOut('4711')
    await expectHouse('201 There')
    pms.cut()
    await vi.waitFor(() => expect(pms.connections()).toBe(0), patient)
    await vi.waitFor(() => expect(pms.connections()).toBe(1), patient)
    await isLinked()
    // Our record is neither new nor lost: what happened meanwhile is told by the other side.
    expect(pms.received.filter((record) => record.startsWith('DR|'))).toHaveLength(1)
    await foyer.get(interfaces.sync, { id }, editor)
    await vi.waitFor(() => expect(pms.received.filter((record) => record.startsWith('DR|'))).toHaveLength(2), patient)
  })

  test('to another server asks it for all who are there, and those of the former one have left', async () => {
    pms.guests.set('1', { key: '1', room: '201', name: 'Former' })
    await isLinked()
    await expectHouse('201 Former')
    const other = await openFias()
    try {
      other.guests.set('2', { key: '2', room: '202', name: 'Present' })
      await foyer.get(interfaces.update, { id, port: other.port }, editor)
      await expectHouse('202 Present')
    } finally {
      await foyer.get(interfaces.deactivate, { id }, editor)
      await other.close()
    }
  })

  test('of a swap that is cut off changes nothing, and asks again', async () => {
    for (const key of ['1', '2', '3']) pms.guests.set(key, { key, room: `20${key}`, name: `G${key}` })
    pms.cutAfter = 2
    await vi.waitFor(
      () => expect(pms.received.filter((record) => record.startsWith('DR|')).length).toBeGreaterThan(0),
      patient,
    )
    expect(await house()).toEqual([])
    pms.cutAfter = null
    await expectHouse('201 G1', '202 G2', '203 G3')
  })

  test('asks once for a list that waits for a person, and again when somebody wants it', async () => {
    for (const [at, room] of rooms.entries()) pms.guests.set(String(at), { key: String(at), room, name: `G${at}` })
    await isLinked()
    await vi.waitFor(async () => expect(await house()).toHaveLength(12), patient)
    const asked = () => pms.received.filter((record) => record.startsWith('DR|')).length
    const before = asked()
    for (const key of [...pms.guests.keys()].slice(3)) pms.guests.delete(key)
    await foyer.get(interfaces.sync, { id }, editor)
    const waits = () => vi.waitFor(async () => expect((await state()).word).toBe('confirm'), patient)
    await waits()
    // It is looked every two seconds whether all are to be asked for.
    await new Promise((resolve) => setTimeout(resolve, 5000))
    expect(asked()).toBe(before + 1)
    await foyer.get(interfaces.sync, { id }, editor)
    await vi.waitFor(() => expect(asked()).toBe(before + 2), patient)
    await waits()
    expect(await house()).toHaveLength(12)
  }, 90_000)

  test('that a node of the release before has kept asks for nothing, so that a list goes on waiting for a person', async () => {
    await isLinked()
    const link = async () =>
      (
        await foyer.query<{ read_as: string; pending: unknown; wants_all: boolean }>(
          'select read_as, pending, wants_all from property_links where property_interface_id = $1',
          [id],
        )
      )[0]
    const now = (await link())?.read_as
    await Promise.all(links.splice(0).map((one) => one.close()))
    const [{ settings } = {}] = await foyer.query<{ settings: object }>(
      'select settings from property_interfaces where id = $1',
      [id],
    )
    const former = createHash('sha256').update(JSON.stringify(settings)).digest('hex')
    await foyer.query(
      `update property_links set pending = '["a list"]', read_as = $2 where property_interface_id = $1`,
      [id, former],
    )
    openNode()
    await vi.waitFor(async () => expect((await link())?.read_as).toBe(now), patient)
    expect(await link()).toMatchObject({ pending: ['a list'], wants_all: false })
  })

  test('is held by one of two nodes, and taken over with all asked anew when that one falls silent', async () => {
    await isLinked()
    openNode()
    await new Promise((resolve) => setTimeout(resolve, 5000))
    expect(pms.connections()).toBe(1)
    await Promise.all(links.splice(0, 1).map((one) => one.close()))
    pms.checkIn(hart)
    await vi.waitFor(() => expect(pms.connections()).toBe(1), patient)
    await isLinked()
    pms.checkIn(weber)
    await vi.waitFor(async () => expect(await house()).toContain('205 Weber'), patient)
  })

  test('that two nodes find free at the same moment is taken by one of them', async () => {
    await isLinked()
    await Promise.all(links.splice(0).map((one) => one.close()))
    const begun = () => pms.received.filter((record) => record.startsWith('LD|')).length
    const before = begun()
    const { tenancy } = foyer.services
    let found = 0
    const { promise: both, resolve } = Promise.withResolvers<void>()
    const atOnce: typeof tenancy = {
      ...tenancy,
      async callFunction(asked) {
        const free = await tenancy.callFunction(asked)
        if (free.length > 0 && ++found === 2) resolve()
        if (free.length > 0) await both
        return free
      },
    }
    openNode(atOnce)
    openNode(atOnce)
    await vi.waitFor(() => expect(begun()).toBeGreaterThan(before), patient)
    await isLinked()
    expect([found >= 2, begun()]).toEqual([true, before + 1])
  })

  test('has all told anew when what it heard could not be written, since nobody says it again', async () => {
    await isLinked()
    const other = await connect(foyer.database.adminUrl)
    try {
      await other.query('begin')
      await other.query('select from property_links where property_interface_id = $1 for update', [id])
      pms.checkIn(hart)
      // What writes it waits for the row, and is ended then, as by a database that restarts.
      const ended = async () =>
        (
          await other.query(
            `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).rowCount
      await vi.waitFor(async () => expect(await ended()).toBeGreaterThan(0), patient)
    } finally {
      await other.query('rollback')
      await other.end()
    }
    await expectHouse('204 Ada Hart')
    await isLinked()
  }, 60_000)

  test('of a node that stops in the midst of what it hears is taken over with nothing lost', async () => {
    await isLinked()
    const told = Array.from({ length: 300 }, (_, at) => {
      const [key, room, name] = [String(at), rooms[at % rooms.length] ?? '', `Guest${at}`]
      pms.guests.set(key, { key, room, name })
      // So long that they are not read all at once.
      return `GI|RN${room}|G#${key}|GN${name}|GSY|ZZ`.padEnd(4000, 'x')
    })
    pms.send(...told)
    await vi.waitFor(async () => expect((await house()).length).toBeGreaterThan(0), { ...patient, interval: 5 })
    await Promise.all(links.splice(0).map((one) => one.close()))
    expect((await house()).length).toBeLessThan(told.length)
    openNode()
    await vi.waitFor(async () => expect(await house()).toHaveLength(told.length), { timeout: 120_000, interval: 200 })
  }, 180_000)

  test('that is taken by something that never speaks says so after a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    try {
      const mute = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
      const host = {
        lastUpdateAt: () => Promise.resolve(0),
        wantsAll: () => Promise.resolve(false),
      } as Partial<LinkHost>
      const ended = talk(mute as Socket, {}, host as LinkHost).catch((error: unknown) => error)
      await vi.advanceTimersByTimeAsync(64_000)
      expect(await ended).toMatchObject({
        message: expect.stringContaining('it accepts the connection and sends nothing'),
      })
    } finally {
      vi.useRealTimers()
    }
  })

  test('that cannot be reached says so, and a private address that ALLOWED_HOSTS does not name is not opened', async () => {
    await pms.close()
    await vi.waitFor(async () => expect(await state()).toMatchObject({ word: 'down' }), patient)
    expect((await state()).sentence).toContain('127.0.0.1')
    await foyer.get(interfaces.update, { id, host: '10.255.255.1', port: 5010 }, editor)
    await vi.waitFor(async () => expect((await state()).last_error).toContain('is not a public address'), patient)
    await foyer.get(interfaces.update, { id, host: '169.254.169.254', port: 80 }, editor)
    await vi.waitFor(
      async () => expect((await state()).last_error).toContain('169.254.169.254 is not a public address'),
      patient,
    )
  })
})

describe('an interface key', () => {
  // From the specification.
  const key = 'GVDpVnl6qYlTQXQJZxXdbw=='

  test('seals the moment of the other side as the specification has it', () => {
    const iv = Buffer.from('3k57hsoHm04fGEyaA3+UVw==', 'base64')
    expect(sealedMoment(key, '170831102201', iv)).toBe('FidCryptAB;3k57hsoHm04fGEyaA3+UVw==oNTebC0J36LY8GV9azyhzw==')
  })

  test('opens the link, and a wrong one is sent once, until somebody enters another or asks again', async () => {
    pms.key = key
    await foyer.get(interfaces.update, { id, settings: { auth_key: 'AAAAAAAAAAAAAAAAAAAAAA==' } }, editor)
    const tries = () => pms.received.filter((record) => record.includes('FidCryptAB')).length
    await vi.waitFor(() => expect(pms.locked).toBe(true), patient)
    await vi.waitFor(
      async () => expect((await state()).last_error).toContain('did not take the interface key'),
      patient,
    )
    pms.locked = false
    await new Promise((resolve) => setTimeout(resolve, 4000))
    expect(tries()).toBe(1)
    await foyer.get(interfaces.update, { id, settings: { auth_key: key } }, editor)
    await isLinked()
    // One that was taken before is sent again.
    const before = tries()
    pms.cut()
    await vi.waitFor(() => expect(tries()).toBeGreaterThan(before), patient)
    await isLinked()
    const shown = (await foyer.get(interfaces.get, { id }, editor)).data
    expect([JSON.stringify(shown).includes(key), shown.settings_set]).toEqual([false, ['auth_key']])
  }, 60_000)

  test('that was taken before and is changed over there is sent twice, and then no more', () => {
    const first = noteOfTry({ key_tried: null, key_taken: null, key_doubted: false }, 'one')
    expect(first).toEqual({ key_tried: 'one', key_taken: null, key_doubted: false })
    expect(first && noteOfTry(first, 'one')).toBeNull()
    // The link came up, so that it was taken; then it comes up no more.
    const once = noteOfTry({ key_tried: 'one', key_taken: 'one', key_doubted: false }, 'one')
    const twice = once && noteOfTry(once, 'one')
    expect([once !== null, twice !== null]).toEqual([true, true])
    expect(twice && noteOfTry(twice, 'one')).toBeNull()
    expect(twice && noteOfTry(twice, 'another')).not.toBeNull()
  })

  test('that is none is refused on the form', async () => {
    const { status, text } = await foyer.ask(interfaces.update, { id, settings: { auth_key: 'secret' } }, editor)
    expect([status, text]).toEqual([422, expect.stringContaining('This is not an interface key')])
  })
})

describe('an inquiry', () => {
  const asked = () => pms.received.filter((record) => record.startsWith('PR|'))

  test('about a room brings in whom it names, all who share it, and is made once', async () => {
    await foyer.get(interfaces.update, { id, settings: { asks_for_guests: true } }, editor)
    await vi.waitFor(
      () => expect(pms.received.filter((record) => record.startsWith('LR|RIPR'))).toHaveLength(1),
      patient,
    )
    await isLinked()
    pms.untold = [
      { ...hart, key: '88' },
      { ...hart, key: '89', name: 'Sharer', first_name: 'Ben' },
    ]
    await askAbout('204')
    await askAbout(' 204 ')
    await expectHouse('204 Ada Hart', '204 Ben Sharer')
    expect(asked()).toEqual([expect.stringMatching(/^PR\|PI204\|P#\d+\|WSFOYER\|DA\d{6}\|TI\d{6}\|$/)])
    // Nobody is there, no room is as that, and none is asked about while the other side closes its day.
    pms.send('NS|DA261128|')
    await askAbout('999')
    await askAbout('204|G#1')
    await askAbout('a'.repeat(9))
    await expectRead('204 Ada Hart', '204 Ben Sharer')
    expect(asked()).toHaveLength(1)
    pms.send('NE|DA261128|')
    await vi.waitFor(() => expect(asked()).toHaveLength(2), patient)
    expect(asked()[1]).toContain('PI999|')
    await expectHouse('204 Ada Hart', '204 Ben Sharer', '212 Last')
  }, 60_000)

  test('is made only while the link is up, so that nobody waits at the page for an answer', async () => {
    await foyer.get(interfaces.update, { id, settings: { asks_for_guests: true } }, editor)
    await vi.waitFor(() => expect(pms.received.some((record) => record.startsWith('LR|RIPR'))).toBe(true), patient)
    await isLinked()
    expect(await askAbout('204')).toBe(true)
    await vi.waitFor(async () => {
      pms.cut()
      expect(await askAbout('204')).toBe(false)
    }, patient)
  }, 60_000)

  test('is made of no site that is not asked for it', async () => {
    await isLinked()
    await askAbout('204')
    await expectRead()
    expect(asked()).toEqual([])
    expect(pms.received.filter((record) => record.startsWith('LR|RIP'))).toEqual([])
  })
})

describe('bad input', () => {
  test('garbage, half frames and a frame without an end are a state in words, and nothing is lost', async () => {
    await isLinked()
    pms.raw(Buffer.from('\u0002GI|RN204|G#4711|GNHa', 'latin1'))
    pms.raw(Buffer.from('rt|\u0003\u0002GI|RN2\u0002GI|RN205|G#4712|GNWeber|\u0003', 'latin1'))
    await expectHouse('204 Hart', '205 Weber')
    pms.raw(Buffer.concat([Buffer.of(2), Buffer.alloc(10 * 1024 * 1024, 0x41)]))
    await vi.waitFor(async () => expect((await state()).last_error).toContain('a record of more than'), patient)
    await isLinked()
    pms.raw(Buffer.alloc(1024 * 1024, 0x41))
    await vi.waitFor(async () => expect((await state()).last_error).toContain('that are not FIAS records'), patient)
    await isLinked()
    expect(await house()).toEqual(['204 Hart', '205 Weber'])
  })

  test('letters are read in the encoding of the site', async () => {
    await foyer.get(interfaces.update, { id, settings: { encoding: 'utf-8' } }, editor)
    await isLinked()
    pms.send(Buffer.from('GI|RN204|G#1|GNØdegård|', 'utf8'))
    await expectHouse('204 Ødegård')
    expect(await state()).toMatchObject({ word: 'up', last_error: null })
  })

  test.each([
    [
      'windows-1252',
      Buffer.from('Ødegård', 'utf8'),
      'utf-8',
      'Western European (Windows-1252); they look like UTF-8',
      true,
    ],
    ['utf-8', Buffer.from('Ødegård', 'latin1'), 'windows-1252', 'UTF-8', false],
    // Š, Ž and ď stand in these two encodings at other places.
    ['iso-8859-2', Buffer.from([0x8a, 0x6b, 0x8e, 0x6f]), 'windows-1250', 'Central European (ISO 8859-2)', false],
  ])(
    'letters that are not %s are said, nothing is lost, and the right ones have all told anew',
    async (wrong, name, right, said, isLinkedThen) => {
      await foyer.get(interfaces.update, { id, settings: { encoding: wrong } }, editor)
      await vi.waitFor(() => expect(pms.connections()).toBe(0), patient).catch(() => {})
      await isLinked()
      const arrival = Buffer.concat([Buffer.from('GI|RN204|G#1|GN'), name, Buffer.from('|')])
      await vi.waitFor(async () => {
        pms.send(arrival)
        expect(await house()).toHaveLength(1)
      }, patient)
      const doubt = `Its names are not in the letters that were chosen, ${said}. Choose others under “Letters”.`
      await vi.waitFor(async () => expect(await state()).toMatchObject({ word: 'up', sentence: doubt }), patient)
      // It stands whatever else comes in, and however often the link is cut: whom it is about is still called otherwise.
      pms.send('GI|RN205|G#2|GNPlain|')
      await vi.waitFor(async () => expect(await house()).toHaveLength(2), patient)
      expect((await state()).sentence).toBe(doubt)
      // Those of the whole list are the same bytes.
      pms.guests.set('2', { key: '2', room: '205', name: 'Plain' })
      pms.guests.set('1', { key: '1', room: '204', name: name.toString('latin1') })
      pms.cut()
      await vi.waitFor(async () => expect((await state()).word).toBe('down'), patient)
      await isLinked()
      expect((await state()).sentence).toBe(doubt)
      if (!isLinkedThen) await Promise.all(links.splice(0).map((one) => one.close()))
      await foyer.get(interfaces.update, { id, settings: { encoding: right } }, editor)
      if (!isLinkedThen) openNode()
      await expectHouse(`204 ${new TextDecoder(right).decode(name)}`, '205 Plain')
      expect(await state()).toMatchObject({ word: 'up', last_error: null })
    },
  )

  describe('a doubt of letters', () => {
    /** As UTF-8, which nobody has chosen. */
    const odd = { key: '1', room: '201', name: Buffer.from('Ødegård', 'utf8').toString('latin1') }
    /** What the link writes has the lock that this waits for, no longer than a caller would. */
    const isDone = (ask: () => Promise<{ status: number }>) =>
      vi.waitFor(async () => expect((await ask()).status).toBe(200), patient)
    const doubt = expect.stringMatching(/^Its names are not in the letters that were chosen/) as string

    test('ends with a whole list without it, while the link stands', async () => {
      await isLinked()
      pms.checkIn(odd)
      await vi.waitFor(async () => expect(await state()).toMatchObject({ word: 'up', sentence: doubt }), patient)
      pms.guests.set('1', { ...odd, name: 'Ødegård' })
      await isDone(() => foyer.ask(interfaces.sync, { id }, editor))
      await expectHouse('201 Ødegård')
      expect(await state()).toMatchObject({ word: 'up', last_error: null })
      pms.checkIn(weber)
      await expectHouse('201 Ødegård', '205 Weber')
      expect(await state()).toMatchObject({ word: 'up', last_error: null })
    })

    test('of a list that waits stands once a person has looked at it', async () => {
      for (const [at, room] of rooms.entries()) pms.guests.set(String(at), { key: String(at), room, name: `G${at}` })
      await isLinked()
      await vi.waitFor(async () => expect(await house()).toHaveLength(12), patient)
      pms.guests.clear()
      pms.guests.set('1', odd)
      await isDone(() => foyer.ask(interfaces.sync, { id }, editor))
      await vi.waitFor(async () => expect((await state()).word).toBe('confirm'), patient)
      pms.cut()
      await vi.waitFor(() => expect(pms.connections()).toBe(0), patient)
      await vi.waitFor(() => expect(pms.connections()).toBe(1), patient)
      await isDone(() => foyer.ask(interfaces.confirm, { id, moves_out: 11 }, editor))
      await vi.waitFor(async () => expect(await state()).toMatchObject({ word: 'up', sentence: doubt }), patient)
    })
  })

  test('a room in letters that the other side has not is not asked about: their bytes would be signs of the protocol', async () => {
    await foyer.get(interfaces.update, { id, settings: { asks_for_guests: true } }, editor)
    await vi.waitFor(() => expect(pms.received.some((record) => record.startsWith('LR|RIPR'))).toBe(true), patient)
    await isLinked()
    const asked = () => pms.received.filter((record) => record.startsWith('PR|')).map((record) => record.split('|')[1])
    // As bytes of Latin-1 these letters end a record, and a field.
    for (const room of ['2Ѓ3', '2ѼG', '204é']) await askAbout(room)
    await vi.waitFor(() => expect(asked()).toEqual(['PI204é']), patient)
    expect(pms.received.every((record) => /^[A-Z]{2}\|/.test(record))).toBe(true)
  }, 60_000)

  test('200 guests who arrive within a second are all there', async () => {
    await foyer.query('update properties set sync_rooms_and_devices = true where id = $1', [property_id])
    await isLinked()
    pms.send(...Array.from({ length: 200 }, (_, at) => `GI|RN${300 + at}|G#${at}|GNGroup${at}|GSN|`))
    await vi.waitFor(async () => expect(await house()).toHaveLength(200), { timeout: 30_000, interval: 100 })
  }, 60_000)
})
