// Portal document: typed values stay text, every step shows what it must, and every language is complete.
import { describe, expect, test } from 'vitest'
import { fontAddress, fonts } from '#portal/fonts.ts'
import { messages } from '#contract/messages.ts'
import { directionOf, languageCodes, textsOf, type Language } from '#portal/languages.ts'
import { portalDocument } from '#portal/portal-document.tsx'
import type { PortalDesign, PortalPageProps, Step } from '#portal/design.ts'
import { hostileTexts } from '#test/hostile-texts.ts'

const design: PortalDesign = {
  company_name: 'Northwind',
  portal_layout_id: 1,
  portal_font_id: 1,
  auth_method_ids: [1, 2, 3, 4, 5, 6, 7, 8],
  portal_footer: 'Northwind Ltd',
  redirect_url: 'https://northwind.example/welcome',
  headline: 'Welcome',
  headlines: {},
  headline_text_colour: '#1A1A1A',
  background_colour: '#FFFFFF',
  button_fill_colour: '#2671FF',
  button_text_colour: '#FFFFFF',
  body_text_colour: '#000000',
  input_outline_colour: '#000000',
  form_container_colour: '#FFFFFF',
  form_field_colour: '#FFFFFF',
  logo: { name: 'logo.png', width: 400, height: 100 },
  logo_preview_url: '/pictures/1',
  portal_image: { name: 'beach.png', width: 400, height: 400 },
  side_image_preview_url: '/pictures/2',
  terms: 'Be kind.',
  terms_version: 3,
  privacy_url: 'https://northwind.example/privacy',
  marketing_text: 'Send me offers',
}
const footer = { image_url: '/pictures/3', width: 300, height: 60, url: 'https://northwind.example/' }
const signIn: Step = { name: 'sign-in' }
const page = (changes: Partial<PortalDesign> = {}, props: Partial<PortalPageProps> = {}) =>
  portalDocument({
    design: { ...design, ...changes },
    step: signIn,
    language: 'en',
    action: '/p/1',
    property_name: 'The Lantern',
    footer,
    addressIn: (language) => `?lang=${language}`,
    ...props,
  }).html

/** The tags of a page with the names of their attributes, which typed values must not change. */
const structureOf = (html: string) =>
  (html.replace(/<style>[^<]*<\/style>/, '').match(/<[^>]*>/g) ?? []).map((tag) => tag.replace(/="[^"]*"/g, ''))
const stylesOf = (html: string) => /<style>([^<]*)<\/style>/.exec(html)?.[1]

const textFields = ['company_name', 'portal_footer', 'headline', 'terms', 'marketing_text'] as const
const addressFields = ['redirect_url', 'privacy_url', 'logo_preview_url', 'side_image_preview_url'] as const
const colourFields = [
  'headline_text_colour',
  'background_colour',
  'button_fill_colour',
  'button_text_colour',
  'body_text_colour',
  'input_outline_colour',
  'form_container_colour',
  'form_field_colour',
] as const

describe('a typed value', () => {
  test('is text in every field, in every layout', () => {
    expect(hostileTexts).toHaveLength(20)
    for (const portal_layout_id of [1, 2, 3])
      for (const field of textFields) {
        const plain = page({ portal_layout_id, [field]: 'plain' })
        for (const text of hostileTexts) {
          const html = page({ portal_layout_id, [field]: text })
          expect(structureOf(html), `${field} ${text}`).toEqual(structureOf(plain))
          expect(stylesOf(html), `${field} ${text}`).toBe(stylesOf(plain))
        }
      }
  })

  test('is text as the name of property and network, and as a guest’s input', () => {
    for (const text of hostileTexts) {
      expect(structureOf(page({}, { property_name: text }))).toEqual(structureOf(page()))
      const away = (network_name: string) => structureOf(page({}, { step: { name: 'away', network_name } }))
      expect(away(text)).toEqual(away('Guests'))
      const consent = (...wordings: string[]) => structureOf(page({}, { step: { name: 'consent', wordings } }))
      expect(consent(text)).toEqual(consent('Send me offers'))
      const typed = (value: string) =>
        structureOf(page({}, { step: { name: 'sign-in', refused: 'unknown', typed: { username: value } } }))
      expect(typed(text)).toEqual(typed('ada'))
    }
  })

  test('is a link only if it is a web address', () => {
    for (const field of addressFields.slice(0, 2))
      for (const text of hostileTexts) {
        const step: Step = {
          name: field === 'redirect_url' ? 'online' : 'sign-in',
          seconds_left: null,
          bytes_left: null,
        }
        expect(page({ [field]: text }, { step }), text).not.toMatch(/href="(?!https?:|\?lang=|\/|data:,)/)
      }
  })

  test('is a colour only if it is a complete one', () => {
    for (const field of colourFields)
      for (const text of [...hostileTexts, '#12', 'red', '']) {
        const html = page({ [field]: text })
        expect(structureOf(html)).toEqual(structureOf(page()))
        expect(stylesOf(html)).toBe(stylesOf(page({ [field]: '' })))
      }
  })
})

describe('the form', () => {
  test('asks for terms and marketing separately, ticks neither, and sends the version of the terms', () => {
    const html = page()
    expect(html).toContain('<input type="checkbox" required="" name="terms" value="3"/>')
    expect(html).toContain('<input type="checkbox" name="marketing" value="1"/>')
    expect(html).not.toMatch(/type="checkbox"[^>]*checked/)
    expect(page({ terms: null, marketing_text: null })).not.toContain('type="checkbox"')
  })

  test('opens the way in that was tried, with the typed values except passwords', () => {
    const step: Step = { name: 'sign-in', refused: 'unknown', method: 3, typed: { username: 'ada' } }
    const html = page({}, { step })
    expect(html).toMatch(/type="radio" name="method"[^>]* checked="" value="3"|value="3"[^>]* checked=""/)
    expect(html).toContain('value="ada"')
    expect(html).toContain(textsOf.en.refused.unknown)
  })

  test('marks fields as required if there is a single way in, and has no form for known devices', () => {
    expect(page({ auth_method_ids: [2, 8] })).toMatch(
      /required=""[^>]*name="voucher_code"|name="voucher_code"[^>]*required=""/,
    )
    const known = page({ auth_method_ids: [8] })
    expect(known).toContain(textsOf.en.known_devices_only)
    expect(known).not.toContain('<button')
  })

  test('is disabled outside the network, which is named', () => {
    const html = page({}, { step: { name: 'away', network_name: 'Lantern Guest' } })
    expect(html).toContain('“Lantern Guest”')
    expect(html).toContain('<fieldset class="form" disabled="">')
  })
})

test('guests who are online see how much is left', () => {
  const left = (seconds_left: number | null, bytes_left: number | null, language: 'en' | 'de' = 'en') =>
    page({}, { language, step: { name: 'online', seconds_left, bytes_left } })
  expect(left(93_600, 1.5e9)).toContain('1 day, 2 hours')
  expect(left(93_600, 1.5e9)).toContain('1.5 GB')
  expect(left(30, 5e6)).toContain('1 minute')
  expect(left(null, null)).toContain('No limit')
  expect(left(5400, 1.5e9, 'de')).toMatch(/1 Stunde, 30 Minuten[^]*1,5\sGB/)
})

test.each(languageCodes)('%s: the page declares its language, and no text is empty', (language) => {
  expect(page({}, { language })).toContain(`<html lang="${language}" dir="${directionOf(language)}">`)
  const words = (value: unknown): unknown[] =>
    typeof value === 'object' && value !== null ? Object.values(value).flatMap(words) : [value]
  const texts = textsOf[language]
  for (const word of words(texts)) expect(word).not.toBe('')
  expect(texts.away_network('Lantern')).toContain('Lantern')
})

// Words of another form of address, or of another gender for the same noun.
test.each<[Language, RegExp]>([
  ['de', /(?<!\p{L})(du|dir|dich|dein\p{L}*|euch|euer)(?!\p{L})/iu],
  ['fr', /(?<!\p{L})(tu|toi|ton|ta|tes)(?!\p{L})/iu],
  ['es', /(?<!\p{L})(tú|tus?|te|ti|la Wi-Fi)(?!\p{L})/iu],
  ['it', /(?<!\p{L})(tu|tuo|tua|tuoi|ti|Suo|Sua|Le)(?!\p{L})/u],
  ['nl', /(?<!\p{L})(je|jij|jou|jouw|jullie)(?!\p{L})/iu],
  ['pt', /(?<!\p{L})(tu|teu|tua|te|você)(?!\p{L})/iu],
  ['pl', /(?<!\p{L})(Pan|Pani|Państwo|Państwa)(?!\p{L})/u],
])('%s: the guest is addressed consistently on every page', (language, other) => {
  const words = (value: unknown): string[] => {
    if (typeof value === 'function') return [String((value as (typed: string) => unknown)('X'))]
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(words) : [String(value)]
  }
  for (const word of words(textsOf[language])) expect(word).not.toMatch(other)
})

test('the headline is in the guest’s language if the operator gave it, or if it is the default one', () => {
  const headlineIn = (language: Language, changes: Partial<PortalDesign>) =>
    /<h1>([^<]*)<\/h1>/.exec(page(changes, { language }))?.[1]
  const { headline } = messages.portal
  expect(headlineIn('en', { headline })).toBe(headline)
  expect(headlineIn('de', { headline })).toBe(textsOf.de.headline)
  expect(headlineIn('de', { headline: 'Welcome' })).toBe('Welcome')
  expect(headlineIn('de', { headline: 'Welcome', headlines: { de: 'Willkommen' } })).toBe('Willkommen')
  expect(headlineIn('ar', { headline, headlines: { de: 'Willkommen' } })).toBe(textsOf.ar.headline)
})

test('it follows the phone’s dark mode, unless a scheme is given', () => {
  const styles = (scheme?: 'light' | 'dark') => stylesOf(page({}, scheme ? { scheme } : {})) ?? ''
  expect(styles()).toContain('@media (prefers-color-scheme: dark)')
  expect(styles('dark')).toContain('color-scheme: dark')
  for (const scheme of ['light', 'dark'] as const) expect(styles(scheme)).not.toContain('@media (prefers-color-scheme')
})

test.each(Object.entries(fonts))('font %s is preloaded and has its own faces', (id, font) => {
  const html = page({ portal_font_id: Number(id) })
  for (const face of font.faces) expect(html).toContain(`url(${fontAddress(font, face)})`)
  expect(html.match(/rel="preload"[^>]*as="font"|as="font"/g)).toHaveLength(font.faces.length / 2)
})
