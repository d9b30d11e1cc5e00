// Find: who types a room's number means the room, also where a guest's phone number holds it.
import { expect, test } from 'vitest'
import type { PaletteGroup } from '#web/ui/palette.tsx'
import { exactlyFirst } from './find.ts'

const group = (title: string, ...labels: string[]): PaletteGroup => ({
  title,
  items: labels.map((label) => ({ key: label, label, icon: 'info', onPick: () => undefined })),
})
const labels = (groups: PaletteGroup[]) => groups.flatMap(({ items }) => items.map(({ label }) => label))

test('a room of the number that is typed comes before all that only holds it', () => {
  const found = [group('Guests', 'Ana Finch'), group('Rooms', 'Room 1141', 'Room 114')]
  expect(labels(exactlyFirst(found, '114'))).toEqual(['Room 114', 'Room 1141', 'Ana Finch'])
  expect(labels(exactlyFirst(found, 'ana'))).toEqual(['Ana Finch', 'Room 1141', 'Room 114'])
})
