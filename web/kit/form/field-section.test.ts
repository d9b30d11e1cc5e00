// A described field: the form, the review, the overview, a list and the log render it by its kind and its label; no other code is
// needed for it.
import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { callsOf } from '#contract/endpoint.ts'
import { fieldsOf, ofKind } from '#contract/describe.ts'
import { count, day, id, listOf, moment, money, no, page, percentage, text } from '#contract/shapes.ts'
import { FieldFacts } from '#web/kit/detail/field-facts.tsx'
import { dayOf } from '#web/kit/display/dates.ts'
import { FieldSection } from '#web/kit/form/field-section.tsx'
import { useForm } from '#web/kit/form/use-form.ts'
import { withOthers } from '#web/kit/list/field-columns.ts'
import { Row as PageRow } from '#web/ui/page.tsx'
import { UiProvider } from '#web/ui/provider.tsx'

const Input = z.object({
  name: text(),
  built_in: count.nullish(),
  contact_email: text().nullish(),
  opens_on: day.nullish(),
  share: percentage.default(0),
  deposit: money.prefault(0),
  pets_allowed: no,
  accent: ofKind('colour', z.string()).default('#2671ff'),
  season: z.enum(['all', 'summer']).default('all'),
  region_id: id.nullish(),
  draft: no,
})
const Row = z.object({ ...Input.required().shape, id, created_at: moment })
const fields = fieldsOf(
  [Input, Row],
  { pets_allowed: 'Pets' },
  {
    site: ['name', 'built_in', 'contact_email', 'opens_on', 'share', 'deposit', 'pets_allowed'],
    look: ['accent', 'season', 'region_id'],
  },
)
const list = callsOf('rooms').read('/sites', listOf({}), page(Row))
const site = {
  name: 'Dunes',
  built_in: 1998,
  contact_email: 'dunes@example.com',
  opens_on: '2026-04-01',
  share: 12.5,
  deposit: '1250.5',
  pets_allowed: true,
}
const labels = ['Name', 'Built in', 'Contact e-mail', 'Opens on', 'Share', 'Deposit', 'Pets']

const rendered = (children: ReactNode) => renderToStaticMarkup(createElement(UiProvider, null, children))

test('is in the form of its section, with the control for its kind', () => {
  function SiteForm() {
    const form = useForm(Input, site, () => Promise.resolve())
    const described = { ...form, labelOf: (name: string) => fields[name as keyof typeof fields].label }
    return createElement(FieldSection<typeof Input>, {
      form: described,
      fields,
      section: 'site',
      title: 'Site',
      rows: [['name']],
    })
  }
  const html = rendered(createElement(SiteForm))
  for (const label of labels) expect(html).toContain(label)
  expect(html).toMatch(/<input[^>]*type="date"[^>]*value="2026-04-01"|value="2026-04-01"[^>]*type="date"/)
  expect(html).toMatch(/type="checkbox"/)
  expect(html).not.toContain('Draft')
})

test('leaves no gap if a row has nothing for this user, and has a colour picker for colours', () => {
  function LookForm() {
    const form = useForm(Input, { accent: '#11aa22' }, () => Promise.resolve())
    return createElement(
      FieldSection<typeof Input>,
      {
        form,
        fields,
        section: 'look',
        title: 'Look',
        rows: [['season', 'region_id']],
        own: { season: null, region_id: false },
      },
      'As guests see it',
    )
  }
  const html = rendered(createElement(LookForm))
  expect(html).toContain('#11aa22')
  expect(html).toContain('As guests see it')
  expect(html).not.toContain('Season')
  const rows = rendered(createElement(PageRow, null, ''))
  expect(html).not.toContain(rows.slice(0, rows.indexOf('>')))
})

test('is in the overview and the review as formatted text', () => {
  const html = rendered(createElement(FieldFacts, { fields, of: site, sections: ['site'] }))
  for (const label of labels) expect(html).toContain(`<dt>${label}</dt>`)
  for (const value of ['1,998', dayOf(site.opens_on), '12.5%', '1,250.50', 'Yes']) expect(html).toContain(value)
})

test('can be placed in an overview by its screen, and can be left out if it is empty', () => {
  const html = rendered(
    createElement(FieldFacts, {
      fields,
      of: { ...site, contact_email: null },
      sections: ['site'],
      first: [['opens_on', ['Soon', undefined, 'First guests']]],
      own: { name: null },
      filledOnly: true,
    }),
  )
  const titles = [...html.matchAll(/<dt>([^<]+)<\/dt>/g)].map(([, title]) => title)
  expect(titles).toEqual(['First guests', 'Built in', 'Share', 'Deposit', 'Pets'])
})

test('is an optional column, unless the list has its own column for it', () => {
  const own = { title: 'Name', cell: () => 'own', width: 100, priority: 1 }
  const columns = withOthers(list, fields, [own])
  expect(columns.map(({ title }) => title)).toEqual(labels)
  expect(columns.filter(({ extra }) => extra)).toHaveLength(labels.length - 1)
  const look = { accent: '#2671ff', season: 'all', region_id: 4 } as const
  const row = { ...site, ...look, id: 1, draft: false, created_at: '2026-01-01T00:00:00Z' }
  const shown = ['own', '1,998', site.contact_email, dayOf(site.opens_on), '12.5%', '1,250.50', 'Yes']
  expect(columns.map(({ cell }) => cell(row))).toEqual(shown)
})
