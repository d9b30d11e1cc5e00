// Transcript of FIAS: one conversation as the documents of its maker have it, record by record. Our link speaks our half of it to a player
// of the other half, and the simulation, on which the other tests stand, speaks that half to a player of ours.
import net, { type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openLinks } from '#server/property-systems/links.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { openFias } from './fias/simulation.ts'

/** `>` the property's side, `<` ours, `=` who is in house then. Days and times are those of the moment: `~`. */
const transcript = `
> LS|~
< LD|~V#1.0|IFWW|
< LR|RIGI|FLRNG#GNGFGTGLGVGAGDGSNPSF|
< LR|RIGO|FLRNG#GSSF|
< LR|RIGC|FLRNG#GNGFGTGLGVGAGDGSNPRO|
< LR|RIRE|FLRNCSDN|
< LA|~
> LA|~
< DR|~
> DS|~
> GI|RN201|G#4701|GNHart|GFAda|SF|
> GI|RN202|G#4702|GNWeber|SF|
> DE|~
= 201 Ada Hart, 202 Weber
> GI|RN203|G#4703|GNOde|GFCarla|GSN|
= 201 Ada Hart, 202 Weber, 203 Carla Ode
> GI|RN203|G#4704|GNOde|GFDan|GSY|
= 201 Ada Hart, 202 Weber, 203 Carla Ode, 203 Dan Ode
> GC|RN202|G#4702|GNWebber|
= 201 Ada Hart, 202 Webber, 203 Carla Ode, 203 Dan Ode
> NS|~
> GC|RN204|G#4701|GNHart|GFAda|GSN|RO201|GSN|
> NE|~
= 202 Webber, 203 Carla Ode, 203 Dan Ode, 204 Ada Hart
> GO|RN203|G#4704|GSY|
= 202 Webber, 203 Carla Ode, 204 Ada Hart
> GO|RN202|G#4702|GSN|
= 203 Carla Ode, 204 Ada Hart
`
const lines = transcript
  .trim()
  .split('\n')
  .map((line) => ({ by: line.slice(0, 1), text: line.slice(2) }))
const moment = 'DA261121|TI093000|'
const framed = (record: string) => `\u0002${record.replace('~', moment)}\u0003`
const timeless = (record: string) => record.replace(/DA\d{6}\|TI\d{6}\|/, '~')
/** What a socket has sent and nobody has read yet, without its moments. */
function inbox(socket: net.Socket) {
  const unread: string[] = []
  let rest = ''
  socket.on('data', (chunk: Buffer) => {
    const [...whole] = (rest + chunk.toString('latin1')).split('\u0003')
    rest = whole.pop() ?? ''
    unread.push(...whole.map((frame) => timeless(frame.slice(1))))
  })
  return () => vi.waitFor(() => unread.shift() ?? Promise.reject(new Error('nothing was sent')), patient)
}
const patient = { timeout: 20_000, interval: 20 }

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer({ env: { ALLOWED_HOSTS: '127.0.0.1' } })
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

test('our link speaks its half, and the house is after each record what the transcript says', async () => {
  const connected = Promise.withResolvers<net.Socket>()
  const server = net.createServer((socket) => connected.resolve(socket.on('error', () => {})))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { id: owner_id } = await foyer.property(editor, { time_zone: 'Atlantic/Reykjavik' })
  await foyer.rooms(editor, owner_id, ['201', '202', '203', '204'])
  await foyer.propertyInterface(editor, {
    property_interface_type_id: 1,
    owner_type: 'Property',
    owner_id,
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    settings: { grace_minutes: 0 },
  })
  const house = async () =>
    (
      await foyer.query<{ who: string }>(
        `select room_number || ' ' || name as who from room_guests where property_id = $1 and deleted_at is null order by 1`,
        [owner_id],
      )
    )
      .map(({ who }) => who)
      .join(', ')
  const links = openLinks(foyer.services)
  try {
    const socket = await connected.promise
    const next = inbox(socket)
    for (const { by, text } of lines)
      if (by === '>') socket.write(framed(text), 'latin1')
      else if (by === '<') expect(await next()).toBe(text)
      else await vi.waitFor(async () => expect(await house()).toBe(text), patient)
    socket.destroy()
  } finally {
    await links.close()
    await new Promise((resolve) => server.close(resolve))
  }
})

test('the simulation speaks the other half', async () => {
  const pms = await openFias()
  const until = lines.findIndex(({ by }) => by === '=')
  const named = (record: string, field: string) => new RegExp(`\\|${field}([^|]*)\\|`).exec(record)?.[1]
  for (const { text } of lines.slice(0, until).filter((line) => line.text.startsWith('GI|')))
    pms.guests.set(named(text, 'G#') ?? '', {
      key: named(text, 'G#') ?? '',
      room: named(text, 'RN') ?? '',
      name: named(text, 'GN') ?? '',
      ...(named(text, 'GF') !== undefined && { first_name: named(text, 'GF') ?? '' }),
    })
  const socket = net.connect(pms.port, '127.0.0.1')
  try {
    const next = inbox(socket)
    for (const { by, text } of lines.slice(0, until))
      if (by === '<') socket.write(framed(text), 'latin1')
      else expect(await next()).toBe(text)
  } finally {
    socket.destroy()
    await pms.close()
  }
})
