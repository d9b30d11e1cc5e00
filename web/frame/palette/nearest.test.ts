// Nearest: a name that begins as typed comes before one that only holds it, and both before what was found otherwise.
import { expect, test } from 'vitest'
import { nearest } from './nearest.ts'

const named = (...names: string[]) => names.map((name) => ({ name }))

test('what is called so comes before what was found by its address, newest first within each', () => {
  const rows = named('Alder House', 'Inland Quay', 'The Lantern Hotel', 'Landgate', 'Étang', 'Lande')
  expect(nearest(rows, 'lan', 4)).toEqual(named('Landgate', 'Lande', 'The Lantern Hotel', 'Inland Quay'))
})

test('accents and capitals make no difference', () => {
  expect(nearest(named('Alder House', 'Étang'), 'ETA', 1)).toEqual(named('Étang'))
})
