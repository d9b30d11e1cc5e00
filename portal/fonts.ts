// Fonts: the seven fonts of portals, as files under `/fonts/` of the guests' origin and of the admin app's.

export interface Face {
  weight: 400 | 600 | 700
  /** Most of the languages need `latin`; names from the rest of Europe need `latin-ext`, too. */
  subset: 'latin' | 'latin-ext'
  /** The beginning of the content's SHA-256, so that browsers may cache the file for ever. */
  hash: string
}

export interface Font {
  family: string
  /** The name of the package `@fontsource/…`, and the prefix of its files. */
  name: string
  /** The weight of headlines and buttons. PT Serif has none: its second weight alone would be as large as the rest of a page. */
  bold: Face['weight']
  fallback: string
  faces: Face[]
}

const sans = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif'
const serif = 'Georgia, "Times New Roman", serif'

/** Each weight with the hashes of its two files. */
const font = (of: Omit<Font, 'faces'>, ...weights: [Face['weight'], latin: string, extended: string][]): Font => ({
  ...of,
  faces: weights.flatMap(([weight, latin, extended]): Face[] => [
    { weight, subset: 'latin', hash: latin },
    { weight, subset: 'latin-ext', hash: extended },
  ]),
})

const inter = font(
  { family: 'Inter', name: 'inter', bold: 600, fallback: sans },
  [400, '8909904ab6c8', '6744a7f509eb'],
  [600, 'f9a06e79cd3a', 'e4bdf67b0cd1'],
)

/** By ids of the look-up table `portal_fonts`. */
export const fonts: Record<number, Font> = {
  1: inter,
  2: font(
    { family: 'Lato', name: 'lato', bold: 700, fallback: sans },
    [400, '918b7dc3e2e2', '8b9fc9737043'],
    [700, 'c447dd7677b4', '3a5797f440bc'],
  ),
  3: font(
    { family: 'Open Sans', name: 'open-sans', bold: 600, fallback: sans },
    [400, '0e44026ad313', 'c260ffc9d1ac'],
    [600, 'a97a6ed7ef9f', '6dbc7eadcc20'],
  ),
  4: font(
    { family: 'Karla', name: 'karla', bold: 600, fallback: sans },
    [400, '250bb48fdea5', '05e8651a2112'],
    [600, '2ca9205edf2d', 'f0446a3e8714'],
  ),
  5: font(
    { family: 'Montserrat', name: 'montserrat', bold: 600, fallback: sans },
    [400, 'e66bcd2761ab', '30f166cea089'],
    [600, 'd857325c360f', '1d8a4af6a50c'],
  ),
  6: font(
    { family: 'Roboto', name: 'roboto', bold: 600, fallback: sans },
    [400, '425c0713a817', '5725eacca973'],
    [600, '3eac5e2f4686', '82ea2dcb706d'],
  ),
  7: font({ family: 'PT Serif', name: 'pt-serif', bold: 400, fallback: serif }, [400, '4271064a37f3', '2d7cdb9a975f']),
}

/** The font of a portal; the first one for an unknown id. */
export const fontOf = (id: number): Font => fonts[id] ?? inter

export const fontAddress = ({ name }: Font, { subset, weight, hash }: Face) =>
  `/fonts/${name}-${subset}-${weight}-${hash}.woff2`

const ranges = {
  latin:
    'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,' +
    'U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
  'latin-ext':
    'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,' +
    'U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
}

/** Text is shown at once in a font of the device, and swapped when its own font has loaded. */
export const fontFaces = (font: Font): string =>
  font.faces
    .map(
      (face) => `@font-face {
  font-family: "${font.family}"; font-weight: ${face.weight}; font-display: swap;
  src: url(${fontAddress(font, face)}) format("woff2"); unicode-range: ${ranges[face.subset]}
}`,
    )
    .join('\n')
