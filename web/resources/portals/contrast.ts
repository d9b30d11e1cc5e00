// Contrast: the contrast of a portal's colours (WCAG 2.2), with warnings at the fields of pairs that are hard to read.
import {
  contrastOf,
  drawnColours,
  isColour,
  line_contrast_min,
  nearest,
  text_contrast_min,
  type ColourField,
} from '#portal/colours.ts'

type Colours = Partial<Record<ColourField, unknown>>

interface Pair {
  front: ColourField
  ground: ColourField
  /** What is drawn on what, for the warning. */
  what: string
  where: string
  min: number
}
const [text, line] = [text_contrast_min, line_contrast_min]
const pairs: Pair[] = [
  { front: 'headline_text_colour', ground: 'background_colour', what: 'headline', where: 'background', min: text },
  { front: 'body_text_colour', ground: 'background_colour', what: 'text', where: 'background', min: text },
  { front: 'body_text_colour', ground: 'form_container_colour', what: 'text', where: 'form', min: text },
  { front: 'body_text_colour', ground: 'form_field_colour', what: 'text', where: 'fields', min: text },
  { front: 'button_text_colour', ground: 'button_fill_colour', what: 'text', where: 'button', min: text },
  { front: 'headline_text_colour', ground: 'form_container_colour', what: 'headline', where: 'form', min: text },
  { front: 'input_outline_colour', ground: 'form_container_colour', what: 'outline', where: 'form', min: line },
]

/** Rounded down, so that it never reads as if it were enough. */
const ratioText = (ratio: number) => (Math.floor(ratio * 10) / 10).toFixed(1)

export interface Warning {
  sentence: string
  /** The nearest lighter or darker colour with enough contrast; absent if it would be too far away. */
  instead?: string
}

/** Warnings by field, for the colours as they are drawn. Both fields of a pair have one, as either may be changed. */
export function contrastWarnings(colours: Colours): Partial<Record<ColourField, Warning>> {
  const warnings: Partial<Record<ColourField, Warning>> = {}
  const drawn = drawnColours(colours)
  for (const { front, ground, what, where, min } of pairs) {
    const ratio = contrastOf(drawn[front], drawn[ground])
    if (ratio === undefined || ratio >= min) continue
    const sentence = `The ${what} on the ${where} has a contrast of ${ratioText(ratio)}, and needs ${min}.`
    warnings[front] ??= { sentence, ...readable(colours[front], colours[ground], min) }
    warnings[ground] ??= { sentence, ...readable(colours[ground], colours[front], min) }
  }
  return warnings
}

/** Empty if the nearest colour with enough contrast would be too far away. */
function readable(colour: unknown, other: unknown, min: number): { instead?: string } {
  const instead = isColour(colour) && isColour(other) ? nearest(colour, other, min) : undefined
  return instead === undefined ? {} : { instead }
}
