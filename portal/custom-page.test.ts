// Custom page: filled-in values stay text wherever a page puts them, and scripts read the same values.
import { expect, test } from 'vitest'
import { placeholders } from '#contract/custom-pages.ts'
import { constants } from '#contract/constants.ts'
import { guestLanguages } from '#contract/portals.ts'
import { customPage, valuesOf } from './custom-page.tsx'
import type { PortalPageProps } from './design.ts'

const design: PortalPageProps['design'] = {
  ...constants.defaults.portal_colours,
  company_name: 'Harbour Hotels',
  portal_layout_id: 1,
  portal_font_id: 1,
  auth_method_ids: [2, 3],
  portal_footer: null,
  redirect_url: '',
  headline: 'Welcome',
  headlines: {},
  logo: null,
  logo_preview_url: null,
  portal_image: null,
  side_image_preview_url: null,
  terms: 'Be kind.',
  terms_version: 3,
  privacy_url: 'https://example.com/privacy',
  marketing_text: null,
}
const props: PortalPageProps = { design, step: { name: 'sign-in' }, language: 'de', action: '/p/1' }

test('each placeholder that the contract names has a value, and is filled in with or without spaces', () => {
  expect(Object.keys(valuesOf(props)).toSorted()).toEqual(Object.keys(placeholders).toSorted())
  const page = customPage('<p lang={{language}}>{{ company }}, {{property}}: {{terms_version}} {{other}}</p>', props)
  expect(page).toBe('<p lang=de>Harbour Hotels, Harbour Hotels: 3 {{other}}</p>')
})

test('what may stand for the language is every language of guests’ pages', () => {
  expect(placeholders.language.split(': ')[1]?.split(/, | or /)).toEqual([...guestLanguages])
})

const hostile = `"'><img src=x onerror=alert(1)> </script> {{form}} \${1} \\ \n &amp; $& \``
test.each([
  ['a text', '<p>{{company}}</p>'],
  ['an attribute', '<p title="{{company}}"></p>'],
  ['an attribute in single marks', "<p title='{{company}}'></p>"],
  ['a title', '<title>{{company}}</title>'],
  ['a script', '<script>let a = "{{company}}"</script>'],
])('in %s it is text', (_, page) => {
  const filled = customPage(page, { ...props, design: { ...design, company_name: hostile } })
  const [before = '', after = ''] = page.split('{{company}}')
  const value = filled.slice(before.length, filled.length - after.length)
  expect(filled).toBe(before + value + after)
  expect(value).not.toMatch(/[^\p{L}\p{N} &#;]/u)
  const read = value.replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code)))
  expect(read).toBe(hostile)
})

test('the form asks for the same as on any portal, and opens no other window', () => {
  const page = customPage('{{form}}', props)
  expect(page).toContain('action="/p/1"')
  expect(page).toContain('name="voucher_code"')
  expect(page).toContain('name="terms"')
  expect(page).toContain('href="https://example.com/privacy"')
  expect(page).not.toContain('_blank')
})

test('a script of the page reads the values, whatever they contain', () => {
  const page = '<head><script src="foyer/v1.js"></script><script src="page.js"></script></head>'
  const filled = customPage(page, { ...props, design: { ...design, company_name: hostile }, hidden: { mac: '1' } })
  const [, block = ''] =
    /^<head><script type="application\/json" id="foyer-context">([^<]*)<\/script><script src=/.exec(filled) ?? []
  expect(JSON.parse(block)).toMatchObject({
    company: hostile,
    language: 'de',
    preview: false,
    terms_version: 3,
    hidden: { mac: '1' },
    methods: [
      { id: 2, name: 'Gutschein', fields: [{ name: 'voucher_code' }, { name: 'voucher_password' }] },
      { id: 3, fields: [{ name: 'username' }, { name: 'password' }] },
    ],
  })
})

test('the reason of a refusal, and the network to join, are in the language of the guest', () => {
  const refused = customPage('{{error}}|{{notice}}', { ...props, step: { name: 'sign-in', refused: 'expired' } })
  expect(refused).toMatch(/^[\p{L}].+\|$/u)
  const away = customPage('{{error}}|{{notice}}|{{network}}', {
    ...props,
    step: { name: 'away', network_name: 'Gäste' },
  })
  expect(away).toMatch(/^\|.*Gäste.*\|Gäste$/)
})

test('what is left, and where to go on, are filled in once they are known', () => {
  const page = '{{time_left}}|{{data_left}}|{{redirect_url}}|{{query}}'
  const design_onward = { ...design, redirect_url: 'https://example.com/' }
  const online = { ...props, language: 'en', design: design_onward, query: '?online=a&b' } as const
  const textAt = (step: PortalPageProps['step']) =>
    customPage(page, { ...online, step }).replaceAll(/&#(\d+);/g, (_, code: string) =>
      String.fromCodePoint(Number(code)),
    )
  expect(textAt({ name: 'online', seconds_left: 5400, bytes_left: null })).toBe(
    '1 hour, 30 minutes|No limit|https://example.com/|?online=a&b',
  )
  expect(textAt({ name: 'status' })).toMatch(/^\|\|/)
  // Only web addresses are accepted.
  design_onward.redirect_url = 'javascript:alert(1)'
  expect(textAt({ name: 'online' })).toBe('|||?online=a&b')
})

test('a preview sends nothing', () => {
  const seen = customPage('{{form}}', { ...props, step: { name: 'online' }, action: '' })
  expect(seen).toMatch(/^<fieldset disabled="" style="display:contents">.*<\/fieldset>$/)
  expect(customPage('{{form}}', { ...props, step: { name: 'online' } })).not.toContain('disabled')
})

test('the size of a page is limited, however often it repeats long values', () => {
  const long = { ...props, design: { ...design, terms: '"'.repeat(20_000) } }
  const page = '{{form}}' + '{{terms}}'.repeat(28_000) + '<script src="foyer/v1.js">'.repeat(9000)
  const filled = customPage(page, long)
  expect(filled.length).toBeLessThan(2_000_000)
  expect(filled).toContain('name="voucher_code"')
})

test('the values precede the script of the page, also after a comment that mentions it', () => {
  const commented = '<!-- <script src="foyer/v1.js"></script> -->'
  const filled = customPage(`${commented}<script src="foyer/v1.js"></script>`, {
    ...props,
    design: { ...design, company_name: '--> <img>' },
  })
  const [, after = ''] = filled.split('-->')
  expect(after).toMatch(/^<script type="application\/json" id="foyer-context">[^<>]*<\/script><script src=/)
})
