// Colours: the contrast of two colours (WCAG 2.2), which of a portal's are drawn slightly darker or lighter than chosen, and what they
// become in dark mode.
import type { PortalDesign } from './design.ts'

export type ColourField = Extract<keyof PortalDesign, `${string}_colour`>
export type Colours = Pick<PortalDesign, ColourField>

/** The contrast that text needs with its background, and that the outlines of fields need. */
export const text_contrast_min = 4.5
export const line_contrast_min = 3

export const isColour = (value: unknown): value is string => typeof value === 'string' && /^#[\da-f]{6}$/i.test(value)

/** 0 for black to 1 for white; undefined if it is not a colour. */
function luminanceOf(colour: unknown): number | undefined {
  if (!isColour(colour)) return undefined
  const channel = (at: number) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

/** 1 to 21; undefined if one of them is not a colour. */
export function contrastOf(one: unknown, other: unknown): number | undefined {
  const [a, b] = [luminanceOf(one), luminanceOf(other)]
  return a === undefined || b === undefined ? undefined : (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** @param share of the other colour, 0 to 1 */
function mix(one: string, other: string, share: number): string {
  const channel = (colour: string, at: number) => Number.parseInt(colour.slice(at, at + 2), 16)
  const mixed = [1, 3, 5].map((at) => Math.round(channel(one, at) * (1 - share) + channel(other, at) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`.toUpperCase()
}

/** In per cent towards black or white; further away it would look like another colour. */
const steps_max = 40

/** The nearest darker or lighter colour with enough contrast; undefined if it would be too far away. */
export function nearest(colour: string, other: string, min: number): string | undefined {
  for (let step = 1; step <= steps_max; step++)
    for (const end of ['#000000', '#FFFFFF']) {
      const found = mix(colour, end, step / 100)
      if ((contrastOf(found, other) ?? 0) >= min) return found
    }
  return undefined
}

/**
 * The colours as they are drawn. A button that slightly lacks contrast with its text, as that of a new portal does, is drawn darker or
 * lighter by just that; if more is lacking, it stays as it was chosen, and the editor shows a warning.
 */
export function drawnColours<C extends Partial<Record<ColourField, unknown>>>(colours: C): C {
  const { button_fill_colour: fill, button_text_colour: text } = colours
  const ratio = contrastOf(fill, text) ?? 0
  if (!isColour(fill) || !isColour(text) || ratio < line_contrast_min || ratio >= text_contrast_min) return colours
  return { ...colours, button_fill_colour: nearest(fill, text, text_contrast_min) ?? fill }
}

/** Backgrounds lighter than this luminance are replaced in dark mode; a design that is dark already stays as it is. */
const light_from = 0.2

/** In dark mode: backgrounds almost black with a tint of the button's colour, text almost white, buttons unchanged. */
export function darkColours(colours: Colours): Colours | null {
  if ((luminanceOf(colours.background_colour) ?? 1) < light_from) return null
  const drawn = drawnColours(colours)
  const tint = isColour(drawn.button_fill_colour) ? drawn.button_fill_colour : '#000000'
  return {
    ...drawn,
    background_colour: mix('#0D1117', tint, 0.05),
    form_container_colour: mix('#171C24', tint, 0.06),
    form_field_colour: mix('#0D1117', tint, 0.05),
    headline_text_colour: '#F5F7FA',
    body_text_colour: '#E4E8EE',
    input_outline_colour: '#8B95A5',
  }
}
