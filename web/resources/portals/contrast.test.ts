// Contrast: the contrast ratio of WCAG, and warnings at both colours of a pair that is hard to read.
import { expect, test } from 'vitest'
import { constants } from '#contract/constants.ts'
import { contrastOf } from '#portal/colours.ts'
import { contrastWarnings } from './contrast.ts'

const readable = { ...constants.defaults.portal_colours, button_fill_colour: '#1F5FD6' }

test('a pair below 4.5 has a warning at both of its colours, with a ratio that is never rounded up', () => {
  expect(contrastWarnings(readable)).toEqual({})
  const sentence = 'The text on the button has a contrast of 2.9, and needs 4.5.'
  expect(contrastWarnings({ ...readable, button_fill_colour: '#969696' })).toEqual({
    button_fill_colour: { sentence, instead: '#757575' },
    // White cannot become lighter, and black would be another colour.
    button_text_colour: { sentence },
  })
})

test('the default colours of a portal have no warnings, as the button is drawn slightly darker', () => {
  expect(contrastWarnings(constants.defaults.portal_colours)).toEqual({})
})

test('the colour that is offered instead is legible, whether it is lighter or darker', () => {
  for (const [front, ground] of [
    ['#6E9EFF', '#FFFFFF'],
    ['#444444', '#000000'],
    ['#8FA58F', '#FFFFFF'],
  ] as const) {
    const { button_text_colour } = contrastWarnings({ button_text_colour: front, button_fill_colour: ground })
    expect(contrastOf(button_text_colour?.instead, ground)).toBeGreaterThanOrEqual(4.5)
  }
})

test('an incomplete colour has no warning', () => {
  expect(contrastWarnings({ ...readable, button_fill_colour: '#77' })).toEqual({})
})
