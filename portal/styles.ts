// Styles: the styles of all layouts, with the colours and the font of a design.
import { keysOf } from '#contract/keys.ts'
import { darkColours, drawnColours, isColour, type ColourField, type Colours } from './colours.ts'
import type { PortalDesign, Scheme } from './design.ts'
import { fontFaces, fontOf } from './fonts.ts'

const variables: Record<ColourField, string> = {
  headline_text_colour: 'headline',
  background_colour: 'page',
  button_fill_colour: 'button',
  button_text_colour: 'on-button',
  body_text_colour: 'text',
  input_outline_colour: 'outline',
  form_container_colour: 'card',
  form_field_colour: 'field',
}
const colourFields = keysOf(variables)

/** Only complete colours: half-typed ones in a preview are left out. */
const coloursIn = (colours: Colours): string =>
  colourFields
    .filter((field) => isColour(colours[field]))
    .map((field) => `--${variables[field]}: ${colours[field]}`)
    .join('; ')

export function designStyles(design: PortalDesign): string {
  const font = fontOf(design.portal_font_id)
  return `${fontFaces(font)}
:root { ${coloursIn(drawnColours(design))}; --bold: ${font.bold} }
body { font-family: "${font.family}", ${font.fallback} }`
}

/**
 * The differences of dark mode, to follow all other styles. Pictures are made for the operator's own background, so they keep it.
 *
 * @param scheme by default the phone's preference
 */
export function darkStyles(design: PortalDesign, scheme: Scheme | undefined): string {
  const dark = darkColours(design)
  if (dark === null || scheme === 'light') return ''
  const plate = isColour(design.background_colour) ? design.background_colour : '#FFFFFF'
  const styles = `:root { ${coloursIn(dark)}; color-scheme: dark }
.brand img, .below img { padding: 8px 12px; background: ${plate}; border-radius: 12px }
.notice { color: #d5e3f7; background: #17263b }
.field input[aria-invalid=true] { border-color: #f2b8b5 }
.tick input[aria-invalid=true] { outline-color: #f2b8b5 }
.refused { color: #ffd9d5; background: #3d1815 }`
  return scheme === 'dark' ? styles : `@media (prefers-color-scheme: dark) {\n${styles}\n}`
}

export const footerStyles = `
.portal-footer { display: flex; justify-content: center; padding-top: 24px }
.portal-footer a { display: block; border-radius: 4px }
.portal-footer-picture {
  display: block; width: auto; max-width: 100%; height: auto; max-height: 120px; object-fit: contain;
}`

/** A line with a share of the outline's colour, or all of it if the browser cannot mix colours. */
const line = (side: string, share: number) =>
  `${side}: 1px solid var(--outline); ${side}: 1px solid color-mix(in srgb, var(--outline) ${share}%, transparent)`

export const baseStyles = `
*, ::before, ::after { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body {
  margin: 0; background: var(--page); color: var(--text);
  font-size: 16px; line-height: 1.5; font-synthesis: none; overflow-wrap: anywhere;
  -webkit-font-smoothing: antialiased;
}
h1, h2, p, dl, dd, ul { margin: 0; padding: 0 }
h1 {
  color: var(--headline); font-size: clamp(28px, 7.5vw, 36px); font-weight: var(--bold); line-height: 1.15;
  letter-spacing: -.015em; text-wrap: balance;
}
:lang(ar) h1, :lang(he) h1, :lang(zh) h1, :lang(ja) h1 { letter-spacing: normal }
h2 { color: var(--headline); font-size: 24px; font-weight: var(--bold); line-height: 1.25; text-wrap: balance }
strong { font-weight: var(--bold) }
a { color: inherit; text-underline-offset: 3px }
img { display: block; max-width: 100% }
a:focus-visible, button:focus-visible, summary:focus-visible, input:focus-visible, .terms:focus-visible {
  outline: 3px solid var(--button); outline-offset: 2px;
}
.page {
  width: 100%; min-height: 100vh; min-height: 100dvh; margin: 0 auto; padding: 20px 20px 28px;
  display: flex; flex-direction: column;
}
main { flex: 1 0 auto }
.split, .column { align-content: center }
.bar { display: flex; align-items: center; justify-content: space-between; gap: 16px; padding-bottom: 24px }
.brand { min-width: 0; color: var(--headline); font-size: 20px; font-weight: var(--bold); line-height: 1.25 }
.brand img { width: auto; height: auto; max-height: 72px; max-width: min(100%, 240px); object-fit: contain }
.property { padding-bottom: 6px; font-weight: var(--bold) }
.card {
  padding: 24px; background: var(--card); border-radius: 20px;
  ${line('border', 14)};
  box-shadow: 0 1px 2px rgb(16 24 40 / 5%), 0 16px 40px -12px rgb(16 24 40 / 16%);
}
@media (max-width: 359px) { .page { padding: 16px 12px } .card { padding: 20px 16px } }
.languages { position: relative; flex: none; margin-inline-start: auto; font-size: 15px }
.languages summary {
  display: flex; align-items: center; gap: 6px; min-height: 44px; padding: 0 4px; cursor: pointer;
  list-style: none; border-radius: 8px;
}
.languages summary::-webkit-details-marker { display: none }
.languages .sign { width: 20px; height: 20px }
.languages ul {
  position: absolute; z-index: 1; inset-inline-end: 0; top: 100%; min-width: 180px; max-height: 70vh; padding: 6px;
  overflow: auto; list-style: none;
  background: var(--card);
  border-radius: 14px; ${line('border', 20)};
  box-shadow: 0 12px 32px rgb(16 24 40 / 18%);
}
.languages li a { display: block; padding: 10px 12px; border-radius: 8px; text-decoration: none }
.languages li a:hover { text-decoration: underline }
.languages [aria-current] { font-weight: var(--bold) }
form, .form { display: grid; gap: 18px }
fieldset { min-width: 0; margin: 0; padding: 0; border: 0 }
legend { padding: 0 0 12px; font-weight: var(--bold) }
.field { display: grid; gap: 6px; font-size: 15px }
.field input {
  width: 100%; min-width: 0; height: 50px; padding: 0 14px; font: inherit; font-size: 17px; color: var(--text);
  background: var(--field);
  border: 1px solid var(--outline); border-radius: 12px; -webkit-appearance: none; appearance: none;
}
.field input[aria-invalid=true] { border: 2px solid #b3261e; padding: 0 13px }
.tick input[aria-invalid=true] { outline: 2px solid #b3261e; outline-offset: 2px }
.field input[name=voucher_code] { letter-spacing: .06em; text-transform: uppercase }
.hint { font-size: 15px }
.ways { display: grid; gap: 0 }
.way { ${line('border-top', 22)} }
.way:last-child { ${line('border-bottom', 22)} }
.way-name { display: flex; align-items: center; gap: 12px; min-height: 52px; padding: 6px 0; cursor: pointer }
.way-fields { display: grid; gap: 14px; padding: 2px 0 18px }
.way:has(.way-name input:not(:checked)) .way-fields { display: none }
.hides-others { display: none }
@supports selector(:has(*)) { .shows-all { display: none } .hides-others { display: block } }
input[type=radio], input[type=checkbox] {
  flex: none; width: 22px; height: 22px; margin: 0; accent-color: var(--button);
}
.tick { display: flex; gap: 12px; font-size: 15px; cursor: pointer }
.tick input { margin-top: 1px }
button, .button {
  display: block; width: 100%; min-height: 52px; padding: 12px 20px; font: inherit; font-size: 17px;
  font-weight: var(--bold); text-align: center;
  text-decoration: none; color: var(--on-button); background: var(--button); border: 0; border-radius: 14px;
  cursor: pointer;
}
button:hover, .button:hover { box-shadow: inset 0 0 0 99px rgb(0 0 0 / 8%) }
button.plain { color: var(--text); background: none; border: 1px solid var(--outline) }
fieldset:disabled button, fieldset:disabled input { opacity: .5; cursor: default }
.more summary {
  display: flex; align-items: center; gap: 8px; width: fit-content; padding: 4px 0; font-size: 15px; cursor: pointer;
  text-decoration: underline; text-underline-offset: 3px; list-style: none; border-radius: 4px;
}
.more summary::-webkit-details-marker { display: none }
.more summary::after {
  content: ''; flex: none; width: 7px; height: 7px; margin: 0 3px 3px; border: solid; border-width: 0 2px 2px 0;
  transform: rotate(45deg);
}
.more[open] summary::after { margin-bottom: -3px; transform: rotate(225deg) }
.more .field { padding-top: 10px }
.terms {
  max-height: 240px; margin-top: 8px; padding: 12px 14px; overflow: auto; display: grid; gap: 8px;
  font-size: 14px; background: var(--field);
  border: 1px solid var(--outline); border-radius: 12px;
}
.wording { white-space: pre-line }
.agreed { display: grid; gap: 6px }
.agreed .more { padding-inline-start: 34px }
.privacy { font-size: 14px; text-align: center }
.privacy a { display: inline-block; padding: 4px 8px }
.notice {
  display: flex; gap: 12px; padding: 14px; color: #1b2a3d; background: #e9f1fb; border-radius: 14px;
  font-size: 15px;
}
.notice strong { display: block; font-size: 16px }
.refused { color: #6b1512; background: #fdeceb }
.sign {
  flex: none; width: 24px; height: 24px; fill: none; stroke: currentColor; stroke-width: 2;
  stroke-linecap: round; stroke-linejoin: round;
}
.outcome { display: grid; gap: 16px; justify-items: center; text-align: center }
.outcome form { width: 100% }
.outcome > .sign {
  width: 64px; height: 64px; padding: 16px; color: var(--on-button); background: var(--button);
  border-radius: 50%;
}
dl { display: flex; flex-wrap: wrap; gap: 12px; width: 100% }
dl div { flex: 1 1 140px; padding: 12px; ${line('border', 22)}; border-radius: 14px }
dt { font-size: 14px }
blockquote { width: 100%; margin: 0; padding: 12px; ${line('border', 22)}; border-radius: 14px; white-space: pre-line }
dd { font-size: 19px; font-weight: var(--bold) }
.below { padding-top: 28px; text-align: center; font-size: 14px }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }`
