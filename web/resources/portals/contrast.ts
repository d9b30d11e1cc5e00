// Contrast: how well the colours of a portal can be told apart, by WCAG 2.2, and which of its fields are to blame where they
// cannot.
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
  /** What stands on what, as a guest sees it. */
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

/** Never rounded up to what would do. */
const told = (ratio: number) => (Math.floor(ratio * 10) / 10).toFixed(1)

export interface Warning {
  sentence: string
  /** The nearest colour, lighter or darker, that would do; none where that would be another colour altogether. */
  instead?: string
}

/** By field, what is hard to read because of it, as it is drawn. Both colours of a pair are named: either may be changed. */
export function contrastWarnings(colours: Colours): Partial<Record<ColourField, Warning>> {
  const warnings: Partial<Record<ColourField, Warning>> = {}
  const drawn = drawnColours(colours)
  for (const { front, ground, what, where, min } of pairs) {
    const ratio = contrastOf(drawn[front], drawn[ground])
    if (ratio === undefined || ratio >= min) continue
    const sentence = `The ${what} on the ${where} has a contrast of ${told(ratio)}, and needs ${min}.`
    warnings[front] ??= { sentence, ...readable(colours[front], colours[ground], min) }
    warnings[ground] ??= { sentence, ...readable(colours[ground], colours[front], min) }
  }
  return warnings
}

/** Nothing where it would be another colour altogether. */
function readable(colour: unknown, other: unknown, min: number): { instead?: string } {
  const instead = isColour(colour) && isColour(other) ? nearest(colour, other, min) : undefined
  return instead === undefined ? {} : { instead }
}
