// Contrast: the ratio is that of WCAG, and a pair that is hard to read is told at both of its colours.
import { expect, test } from 'vitest'
import { constants } from '#contract/constants.ts'
import { contrastOf } from '#portal/colours.ts'
import { contrastWarnings } from './contrast.ts'

const readable = { ...constants.defaults.portal_colours, button_fill_colour: '#1F5FD6' }

test('a pair below 4.5 is told at both of its colours, and never as if it would do', () => {
  expect(contrastWarnings(readable)).toEqual({})
  const sentence = 'The text on the button has a contrast of 2.9, and needs 4.5.'
  expect(contrastWarnings({ ...readable, button_fill_colour: '#969696' })).toEqual({
    button_fill_colour: { sentence, instead: '#757575' },
    // White cannot become whiter, and black is another colour.
    button_text_colour: { sentence },
  })
})

test('of the colours that a portal begins with none is hard to read: the button is drawn a hair darker', () => {
  expect(contrastWarnings(constants.defaults.portal_colours)).toEqual({})
})

test('what is offered instead can be read, whichever way it lies', () => {
  for (const [front, ground] of [
    ['#6E9EFF', '#FFFFFF'],
    ['#444444', '#000000'],
    ['#8FA58F', '#FFFFFF'],
  ] as const) {
    const { button_text_colour } = contrastWarnings({ button_text_colour: front, button_fill_colour: ground })
    expect(contrastOf(button_text_colour?.instead, ground)).toBeGreaterThanOrEqual(4.5)
  }
})

test('what is half typed is not judged', () => {
  expect(contrastWarnings({ ...readable, button_fill_colour: '#77' })).toEqual({})
})
