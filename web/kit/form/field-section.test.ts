// A described field: the form, the review, the overview, a list, a filter and the log render it by its kind and its label; no other code
// is needed for it. A reference is such a field: its column, and a line of the contract.
import { QueryClientProvider } from '@tanstack/react-query'
import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { callsOf } from '#contract/endpoint.ts'
import { fieldsOf, ofKind } from '#contract/describe.ts'
import { count, day, id, listOf, moment, money, named, no, page, percentage, ref, text } from '#contract/shapes.ts'
import { areas } from '#contract/permissions.ts'
import { references } from '#web/kit/display/references.ts'
import { keys, queryClient } from '#web/kit/call/query-client.ts'
import { FieldFacts } from '#web/kit/detail/field-facts.tsx'
import { dayOf } from '#web/kit/display/dates.ts'
import { FieldSection } from '#web/kit/form/field-section.tsx'
import { useForm } from '#web/kit/form/use-form.ts'
import { fieldColumns, useNamed, withOthers } from '#web/kit/list/field-columns.ts'
import { titled } from '#web/kit/list/list-types.ts'
import { RecordAddress } from '#web/kit/navigation/record-address.ts'
import { session, type User } from '#web/session/session.ts'
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
  package_id: ref('packages', 'That of the region').nullish(),
  country_id: ref('countries').nullish(),
  group_ids: z.array(ref('groups', 'All groups')).default([]),
  draft: no,
})
const Row = z.object({ ...Input.required().shape, package: named.nullable(), id, created_at: moment })
const fields = fieldsOf(
  [Input, Row],
  { pets_allowed: 'Pets' },
  {
    site: ['name', 'built_in', 'contact_email', 'opens_on', 'share', 'deposit', 'pets_allowed'],
    look: ['accent', 'season', 'region_id'],
    given: ['package_id', 'country_id', 'group_ids'],
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

const rendered = (children: ReactNode) =>
  renderToStaticMarkup(
    createElement(
      QueryClientProvider,
      { client: queryClient },
      createElement(RecordAddress, { value: addressOf }, createElement(UiProvider, null, children)),
    ),
  )
const addressOf = (target: string, of: number) => (target === 'packages' ? `/packages?id=${of}` : undefined)

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
  expect(columns.map(({ title }) => title)).toEqual([...labels, 'Package'])
  expect(columns.filter(({ extra }) => extra)).toHaveLength(labels.length)
  const look = { accent: '#2671ff', season: 'all', region_id: 4 } as const
  const given = { package_id: 2, package: { id: 2, name: 'Silver' }, country_id: null, group_ids: [] }
  const row = { ...site, ...look, ...given, id: 1, draft: false, created_at: '2026-01-01T00:00:00Z' }
  const shown = ['own', '1,998', site.contact_email, dayOf(site.opens_on), '12.5%', '1,250.50', 'Yes', 'Silver']
  expect(columns.map(({ cell }) => cell(row))).toEqual(shown)
})

describe('a reference', () => {
  const offering = (names: string[]) => ({
    data: names.map((name, at) => ({ id: at + 1, name })),
    meta: { total: names.length },
  })
  beforeEach(() => {
    session.enter({ can: Object.fromEntries(areas.map((area) => [area, ['read']])) } as unknown as User, [])
    queryClient.setQueryData(keys.names(references.countries.names.path), [
      { id: 44, name: 'Wales' },
      { id: 49, name: 'Bavaria' },
    ])
    queryClient.setQueryData([...keys.names(references.packages.names.path), {}, ''], offering(['Gold', 'Silver']))
    queryClient.setQueryData([...keys.names(references.groups.names.path), {}, ''], offering(['North', 'South']))
  })
  afterEach(() => queryClient.clear())

  const given = (values: Partial<z.input<typeof Input>>) => {
    function Given() {
      const form = useForm(Input, { ...site, ...values }, () => Promise.resolve())
      return createElement(FieldSection<typeof Input>, { form, fields, section: 'given', title: 'Given' })
    }
    return rendered(createElement(Given))
  }

  test('is in the form as a select of what it may point at, with the word for none', () => {
    const chosen = given({ package_id: 2, country_id: 49, group_ids: [1] })
    for (const name of ['Silver', 'Bavaria', 'North']) expect(chosen).toContain(name)
    const none = given({})
    expect(none).toContain('placeholder="That of the region"')
    expect(none).toContain('placeholder="All groups"')
  })

  test('is in the overview by its name and as a link, with the word for none', () => {
    const facts = (of: object) =>
      rendered(createElement(FieldFacts, { fields, of: of as Record<string, unknown>, sections: ['given'] }))
    const record = { package_id: 2, package: { id: 2, name: 'Silver' }, country_id: 44, group_ids: [2, 1] }
    const html = facts(record)
    expect(html).toContain('<a href="/packages?id=2">Silver</a>')
    expect(html).toContain('<dd>Wales</dd>')
    expect(html).toContain('<dd>South, North</dd>')
    const none = facts({ package_id: null, package: null, country_id: null, group_ids: [] })
    for (const word of ['That of the region', 'All groups']) expect(none).toContain(word)
  })

  test('is in the review by the names of the ids that were chosen', () => {
    const html = rendered(
      createElement(FieldFacts, {
        fields,
        of: { package_id: 1, country_id: 44 },
        sections: ['given'],
        filledOnly: true,
      }),
    )
    for (const name of ['Gold', 'Wales']) expect(html).toContain(`<dd>${name}</dd>`)
  })

  test('is a column with its name: that in the row, or that of its look-up', () => {
    const column = fieldColumns({ list, fields })
    const place = { width: 100, priority: 2 }
    const row = { package: { id: 2, name: 'Silver' }, package_id: 2, country_id: 44 } as never
    function Cells() {
      return useNamed([column('package', place), column('country_id', place)]).map(({ cell }) => cell(row))
    }
    expect(rendered(createElement(Cells))).toContain('SilverWales')
  })

  test('is a filter of what it may point at, with the word for none', () => {
    const filters = titled<typeof list>({ package_id: { kind: 'checkbox', none: true } } as never, fields)
    expect(filters['package_id']).toEqual({
      title: 'Package',
      kind: 'checkbox',
      options: references.packages.names,
      none: 'That of the region',
    })
  })
})
