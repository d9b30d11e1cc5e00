// Marks: a mark stands in front of the statement around a change, or in its arrow function, and changes nothing else.
import { expect, test } from 'vitest'

interface Marks {
  marked(file: string, source: string, changes: { id: number; from: number; to: number }[]): Promise<string>
}
const { marked } = (await import(String(new URL('marks.mjs', import.meta.url)))) as Marks

const marks = (source: string, ...places: string[]) =>
  marked(
    'source.tsx',
    source,
    places.map((place, id) => ({ id, from: source.indexOf(place), to: source.indexOf(place) + place.length })),
  )

test.each([
  [
    'const f = () => {\n  one()\n  if (a > 1) two()\n}\n',
    ['a > 1', 'one'],
    'const f = () => {\n  globalThis.passing?.(1); one()\n  globalThis.passing?.(0); if (a > 1) two()\n}\n',
  ],
  ['const f = (a) => a + 1', ['+'], 'const f = (a) => (globalThis.passing?.(0), a + 1)'],
  ['const f = () => ({ a: 1 })', ['1'], 'const f = () => (globalThis.passing?.(0), ({ a: 1 }))'],
  [
    'class A {\n  b() {\n    return 1\n  }\n}',
    ['1'],
    'class A {\n  b() {\n    globalThis.passing?.(0); return 1\n  }\n}',
  ],
  [
    'const f = () => <p>{a ? b : c}</p>',
    ['a ?', ' c'],
    'const f = () => (globalThis.passing?.(0, 1), <p>{a ? b : c}</p>)',
  ],
  // It runs once, for whoever loads the module first.
  ['export const most = 3', ['3'], 'export const most = 3'],
])('%s', async (source, places, expected) => {
  expect(await marks(source, ...places)).toBe(expected)
})
