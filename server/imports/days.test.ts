// Days: a numeric date is read as all dates of its list show, else as somebody has chosen, or the country has it; and that is said.
import { expect, test } from 'vitest'
import { DayOrder } from './days.ts'

const read = (text: string, others: string[], otherwise: ConstructorParameters<typeof DayOrder>[1]) => {
  const order = new DayOrder(() => [text, ...others], otherwise)
  return [order.dayIn(text), ...order.notes]
}

test.each([
  ['03/04/2026', [], 'day_first', ['2026-04-03', 'Of days such as 03/04/2026 the day was read first.']],
  ['03/04/2026', [], 'month_first', ['2026-03-04', 'Of days such as 03/04/2026 the month was read first.']],
  // What the list shows counts more, and needs no words.
  ['03/04/2026', ['05/13/2026'], 'day_first', ['2026-03-04']],
  ['03/04/2026', ['13/05/2026'], 'month_first', ['2026-04-03']],
  ['03/04/2026', ['13/05/2026'], null, ['2026-04-03']],
  // Nobody writes the month first with dots.
  ['03.04.2026', [], 'month_first', ['2026-04-03']],
  // These are in no doubt.
  ['04/04/2026', [], null, ['2026-04-04']],
  ['31/12/26', [], null, ['2026-12-31']],
  ['12/31/71', [], null, ['1971-12-31']],
  ['31-Dec-2026', [], null, ['2026-12-31']],
  ['20261231', [], null, ['2026-12-31']],
] as const)('%s beside %j, otherwise %s', (text, others, otherwise, said) => {
  expect(read(text, [...others], otherwise)).toEqual(said)
})

test('a date in doubt is a problem where nobody chose, and a question to whoever may be asked', () => {
  expect(() => read('03/04/2026', [], null)).toThrow('3/4 may be either day. Please write the date as 2026-12-31')
  expect(() => read('03/04/2026', [], 'ask')).toThrow('03/04/2026')
  // A list with both orders is not cured by either.
  expect(() => read('03/04/2026', ['13/05/2026', '05/13/2026'], 'day_first')).toThrow('may be either day')
})
