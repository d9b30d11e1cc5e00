// Buildings: if two buildings of a property use the same room numbers, the building becomes part of each number.
import { number as roomNumber } from '#contract/rooms.ts'
import type { Person } from './definition.ts'
import type { Problems } from './problems.ts'

export interface RoomRead {
  /** The first row that names it. */
  row: number
  number: string
  /** As in the list; empty if it names none. */
  building: string
  guests: Person[]
  /** One of its rows could not be read, so it is not known who else is in it. */
  doubtful?: boolean
}

const noun = [
  String.raw`building|bldg\.?|block|tower|wing|house|haus|gebäude|bâtiment|immeuble|edificio|edifício|bloco|torre`,
  'корпус|здание|дом|المبنى|בניין',
].join('|')
const named = new RegExp(String.raw`^(?:${noun})\s*[:.-]?\s*(.+)$|^(.+?)\s+(?:${noun})$`, 'iu')

/** `A` in `Building A:`, `East` in `East Wing`: a line between the rooms that names the building of those below it. */
export function buildingIn(line: string): string | undefined {
  const [, behind, before] = named.exec(line.trim()) ?? []
  const name = (behind ?? before ?? '').replace(/[:.,;\s]+$/, '')
  return name === '' || name.length > 30 ? undefined : name
}

/** The rooms with their final numbers: `East 101` where there is a 101 in another building. */
export function withBuildings(rooms: readonly RoomRead[], problems: Problems): RoomRead[] {
  const buildings = Map.groupBy(rooms, ({ number }) => number.toLowerCase())
  const isShared = [...buildings.values()].some((same) => same.length > 1)
  if (!isShared) return [...rooms]
  return rooms.flatMap((room) => {
    const isDoubled = (buildings.get(room.number.toLowerCase())?.length ?? 0) > 1
    if (room.building === '') {
      if (!isDoubled) return [room]
      problems.add(room.row, 'building', `There is a ${room.number} in another building. In which is this one?`)
      return []
    }
    const number = roomNumber.safeParse(`${room.building} ${room.number}`)
    if (number.success) return [{ ...room, number: number.data }]
    problems.add(room.row, 'building', 'The names of the building and the room are too long together')
    return []
  })
}
