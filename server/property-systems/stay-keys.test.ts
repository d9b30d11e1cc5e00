// Stay keys: which of the stays that were told before a room of a reservation is.
import { expect, test } from 'vitest'
import { nameless, unreported } from '#server/stays/stay-updates.ts'
import { keyed } from './stay-keys.ts'

const named = (name: string) => {
  const [first_name = null, last_name = null] = name.split(' ')
  return { ...nameless, first_name, last_name }
}
type Written = readonly [room: string, ...names: string[]]
const roomOf = ([room, ...names]: Written) => ({ ...unreported, room, guests: names.map(named) })
/** In house by `L`, and its other keys. */
const known = (key: string, ...written: Written) => ({ ...roomOf(written), stay_key: key, in_house: true })
const left = (key: string, ...written: Written) => ({ ...known(key, ...written), in_house: false })
const keysOf = (before: readonly ReturnType<typeof known>[], ...now: Written[]) =>
  Object.fromEntries(
    keyed(new Map([['L', now.map(roomOf)]]), before).map(({ stay_key, room, guests }) => [
      stay_key,
      [room, ...guests.map(({ last_name }) => last_name)].filter((part) => part !== null).join(' '),
    ]),
  )

const [hart, weber] = [known('L', '1', 'Ada Hart'), known('L / 2', '2', 'Cy Weber')]

test.each<[string, ReturnType<typeof known>[], Written[], Record<string, string>]>([
  [
    'a first list',
    [],
    [
      ['1', 'Ada Hart'],
      ['2', 'Cy Weber'],
    ],
    { L: '1 Hart', 'L / 2': '2 Weber' },
  ],
  ['who stays as another leaves', [hart, weber], [['2', 'Cy Weber']], { 'L / 2': '2 Weber' }],
  ['who moves as another leaves', [hart, weber], [['3', 'Cy Weber']], { 'L / 2': '3 Weber' }],
  ['who moves into the room of another', [hart, weber], [['1', 'CY WEBER']], { 'L / 2': '1 WEBER' }],
  [
    'two who change rooms',
    [hart, weber],
    [
      ['1', 'Cy Weber'],
      ['2', 'Ada Hart'],
    ],
    { 'L / 2': '1 Weber', L: '2 Hart' },
  ],
  [
    'another name in a room',
    [hart, weber],
    [
      ['1', 'Di Ney'],
      ['2', 'Cy Weber'],
    ],
    { L: '1 Ney', 'L / 2': '2 Weber' },
  ],
  [
    'another name in another room',
    [hart, weber],
    [
      ['2', 'Cy Weber'],
      ['3', 'Di Ney'],
    ],
    { 'L / 2': '2 Weber', 'L / 3': '3 Ney' },
  ],
  ['a name and a room that are others, of the only one', [hart], [['3', 'Ada Heart']], { L: '3 Heart' }],
  [
    'who comes after another has left',
    [weber, left('L', '1', 'Ada Hart')],
    [
      ['2', 'Cy Weber'],
      ['3', 'Di Ney'],
    ],
    { 'L / 2': '2 Weber', 'L / 3': '3 Ney' },
  ],
  [
    'who is there again',
    [weber, left('L', '1', 'Ada Hart')],
    [
      ['2', 'Cy Weber'],
      ['1', 'Ada Hart'],
    ],
    { 'L / 2': '2 Weber', L: '1 Hart' },
  ],
  [
    'who comes into the room of the only one, who has left',
    [left('L', '1', 'Ada Hart')],
    [['1', 'Di Ney']],
    { 'L / 1': '1 Ney' },
  ],
  ['the only one again, in another room', [left('L', '1', 'Ada Hart')], [['3', 'Ada Hart']], { L: '3 Hart' }],
  [
    'one name for all rooms',
    [known('L', '1', 'Ada Hart'), known('L / 2', '2', 'Ada Hart')],
    [
      ['2', 'Ada Hart'],
      ['3', 'Ada Hart'],
    ],
    { 'L / 2': '2 Hart', L: '3 Hart' },
  ],
  ['rooms without names', [known('L', '1'), known('L / 2', '2')], [['2'], ['3']], { 'L / 2': '2', L: '3' }],
])('%s', (_name, before, now, keys) => {
  expect(keysOf(before, ...now)).toEqual(keys)
})

test('no two rooms have one key, however long the number of the reservation is', () => {
  const reference = 'R'.repeat(300)
  const rooms = ['1', '2', '2', '3'].map((room) => roomOf([room]))
  const keys = keyed(new Map([[reference, rooms]]), []).map(({ stay_key }) => stay_key)
  expect(new Set(keys).size).toBe(4)
  for (const key of keys) expect(key.length).toBeLessThanOrEqual(200)
})
