// Contrast: how well the colours of a portal can be told apart, by WCAG 2.2, and which of its fields are to blame where they
// cannot.
import type { PortalField } from './rules.ts'

export type ColourField = Extract<PortalField, `${string}_colour`>
type Colours = Partial<Record<ColourField, unknown>>

/** Text of this size; and the lines by which one finds a field. */
const text_min = 4.5
const line_min = 3

interface Pair {
  front: ColourField
  ground: ColourField
  /** What stands on what, as a guest sees it. */
  what: string
  where: string
  min: number
}
const pairs: Pair[] = [
  { front: 'headline_text_colour', ground: 'background_colour', what: 'headline', where: 'background', min: text_min },
  { front: 'body_text_colour', ground: 'background_colour', what: 'text', where: 'background', min: text_min },
  { front: 'body_text_colour', ground: 'form_container_colour', what: 'text', where: 'form', min: text_min },
  { front: 'body_text_colour', ground: 'form_field_colour', what: 'text', where: 'fields', min: text_min },
  { front: 'button_text_colour', ground: 'button_fill_colour', what: 'text', where: 'button', min: text_min },
  { front: 'headline_text_colour', ground: 'form_container_colour', what: 'headline', where: 'form', min: text_min },
  { front: 'input_outline_colour', ground: 'form_container_colour', what: 'outline', where: 'form', min: line_min },
]

/** Red, green and blue as light, 0 to 1; undefined for what is no colour. */
function lightOf(colour: unknown): [number, number, number] | undefined {
  const digits = typeof colour === 'string' ? /^#([\da-f]{6})$/i.exec(colour)?.[1] : undefined
  if (digits === undefined) return undefined
  const channel = (at: number) => {
    const value = Number.parseInt(digits.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [channel(0), channel(2), channel(4)]
}

const luminanceOf = ([red, green, blue]: [number, number, number]) => 0.2126 * red + 0.7152 * green + 0.0722 * blue

/** 1 to 21; undefined while one of them is no colour. */
export function contrastOf(one: unknown, other: unknown): number | undefined {
  const [a, b] = [lightOf(one), lightOf(other)]
  if (!a || !b) return undefined
  const [darker = 0, lighter = 0] = [luminanceOf(a), luminanceOf(b)].toSorted((x, y) => x - y)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Never rounded up to what would do. */
const told = (ratio: number) => (Math.floor(ratio * 10) / 10).toFixed(1)

export interface Warning {
  sentence: string
  /** The nearest colour, lighter or darker, that would do; none where that would be another colour altogether. */
  instead?: string
}

/** By field, what is hard to read because of it. Both colours of a pair are named: either may be changed. */
export function contrastWarnings(colours: Colours): Partial<Record<ColourField, Warning>> {
  const warnings: Partial<Record<ColourField, Warning>> = {}
  for (const { front, ground, what, where, min } of pairs) {
    const ratio = contrastOf(colours[front], colours[ground])
    if (ratio === undefined || ratio >= min) continue
    const sentence = `The ${what} on the ${where} has a contrast of ${told(ratio)}, and needs ${min}.`
    warnings[front] ??= { sentence, ...readable(colours[front], colours[ground], min) }
    warnings[ground] ??= { sentence, ...readable(colours[ground], colours[front], min) }
  }
  return warnings
}

/** Of a hundred steps towards black or white; further away it is not the same colour any more. */
const steps_max = 40

function readable(colour: unknown, other: unknown, min: number): { instead?: string } {
  for (let step = 1; step <= steps_max; step++)
    for (const end of ['#000000', '#FFFFFF']) {
      const instead = mix(String(colour), end, step / 100)
      if ((contrastOf(instead, other) ?? 0) >= min) return { instead }
    }
  return {}
}

function mix(one: string, other: string, share: number): string {
  const channel = (colour: string, at: number) => Number.parseInt(colour.slice(at, at + 2), 16)
  const mixed = [1, 3, 5].map((at) => Math.round(channel(one, at) * (1 - share) + channel(other, at) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`.toUpperCase()
}
