// Contrast: the ratio is that of WCAG, and a pair that is hard to read is told at both of its colours.
import { expect, test } from 'vitest'
import { constants } from '#contract/constants.ts'
import { contrastOf, contrastWarnings } from './contrast.ts'

test('the ratio is that of WCAG 2.2', () => {
  expect(contrastOf('#000000', '#FFFFFF')).toBeCloseTo(21, 5)
  expect(contrastOf('#ffffff', '#FFFFFF')).toBe(1)
  // The greys between which 4.5 lies on white.
  expect(contrastOf('#767676', '#FFFFFF')).toBeGreaterThan(4.5)
  expect(contrastOf('#777777', '#FFFFFF')).toBeLessThan(4.5)
  expect(contrastOf('#77777', '#FFFFFF')).toBeUndefined()
})

const readable = { ...constants.defaults.portal_colours, button_fill_colour: '#1F5FD6' }

test('a pair below 4.5 is told at both of its colours, and never as if it would do', () => {
  expect(contrastWarnings(readable)).toEqual({})
  const sentence = 'The text on the button has a contrast of 4.4, and needs 4.5.'
  expect(contrastWarnings({ ...readable, button_fill_colour: '#777777' })).toEqual({
    button_fill_colour: { sentence, instead: '#767676' },
    // White cannot become whiter, and black is another colour.
    button_text_colour: { sentence },
  })
})

test('of the colours that a portal begins with, only the button is hard to read', () => {
  expect(Object.keys(contrastWarnings(constants.defaults.portal_colours))).toEqual([
    'button_text_colour',
    'button_fill_colour',
  ])
})

test('what is offered instead can be read, whichever way it lies', () => {
  for (const [front, ground] of [
    ['#2671FF', '#FFFFFF'],
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
