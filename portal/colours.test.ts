// Colours: the contrast ratio of WCAG, the small corrections of chosen colours, and legibility in dark mode.
import { expect, test } from 'vitest'
import { constants } from '#contract/constants.ts'
import { contrastOf, darkColours, drawnColours, type ColourField } from './colours.ts'

test('the ratio is that of WCAG 2.2', () => {
  expect(contrastOf('#000000', '#FFFFFF')).toBeCloseTo(21, 5)
  expect(contrastOf('#ffffff', '#FFFFFF')).toBe(1)
  // The two greys on either side of 4.5 on white.
  expect(contrastOf('#767676', '#FFFFFF')).toBeGreaterThan(4.5)
  expect(contrastOf('#777777', '#FFFFFF')).toBeLessThan(4.5)
  expect(contrastOf('#77777', '#FFFFFF')).toBeUndefined()
})

const chosen = constants.defaults.portal_colours

test('a button that slightly lacks contrast is drawn darker by just that, and one that lacks more as it was chosen', () => {
  const drawn = drawnColours(chosen)
  expect(contrastOf(drawn.button_fill_colour, chosen.button_text_colour)).toBeGreaterThanOrEqual(4.5)
  expect(contrastOf(drawn.button_fill_colour, chosen.button_fill_colour)).toBeLessThan(1.2)
  for (const button_fill_colour of ['#1F5FD6', '#FFE066', '#FFE0'])
    expect(drawnColours({ ...chosen, button_fill_colour })).toEqual({ ...chosen, button_fill_colour })
})

const pairs: [ColourField, ColourField, number][] = [
  ['headline_text_colour', 'background_colour', 4.5],
  ['body_text_colour', 'background_colour', 4.5],
  ['body_text_colour', 'form_container_colour', 4.5],
  ['body_text_colour', 'form_field_colour', 4.5],
  ['headline_text_colour', 'form_container_colour', 4.5],
  ['input_outline_colour', 'form_container_colour', 3],
  ['input_outline_colour', 'background_colour', 3],
]
const tints = ['00', '40', '80', 'C0', 'FF'].flatMap((red) =>
  ['00', '80', 'FF'].flatMap((green) => ['00', '80', 'FF'].map((blue) => `#${red}${green}${blue}`)),
)

test('in dark mode everything is legible, whatever colour the buttons have', () => {
  for (const button_fill_colour of tints) {
    const dark = darkColours({ ...chosen, button_fill_colour })
    for (const [front, ground, min] of pairs)
      expect(contrastOf(dark?.[front], dark?.[ground]), `${button_fill_colour}: ${front}`).toBeGreaterThanOrEqual(min)
  }
})

test('a design that is dark already stays as it is', () => {
  expect(darkColours({ ...chosen, background_colour: '#101418' })).toBeNull()
})
