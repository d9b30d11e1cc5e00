// Set-up: where the steps of a new installation lead.
import { expect, test } from 'vitest'
import { actions, areas } from '#contract/permissions.ts'
import { presetsOf } from '#web/limits/property-presets.ts'
import { session } from '#web/session/session.ts'
import type { Figures } from './figures.ts'
import { stepsOf } from './set-up.tsx'

/** As of a customer that has these properties and nothing else. */
const figuresOf = (ids: number[]) =>
  ({
    properties: ids.length,
    voucher_batches: 0,
    accounts: 0,
    gateways: 0,
    tried: false,
    ever_heard: false,
    ever_accepted: false,
    awaited_gateway: null,
    standings: ids.map((id) => ({ id })),
  }) as unknown as Figures

test('each is about the only property, and of several about none before one is chosen', () => {
  session.enter(
    {
      id: 1,
      name: 'Ana Silva',
      email: 'ana@example.com',
      owner_type: 'Customer',
      owner_id: 1,
      owner_name: 'Harbour',
      user_type_id: 2,
      customer: { id: 1, name: 'Harbour' },
      can: Object.fromEntries(areas.map((area) => [area, [...actions]])),
      second_factor_due: false,
      mails_wait: false,
      language: null,
      sample: false,
      sample_of: null,
    },
    [],
  )
  const leadsTo = (ids: number[]) =>
    ['Give out a code', 'Try it as a guest', 'Register the gateway'].map((title) => {
      const { href } = stepsOf(figuresOf(ids)).find((step) => step.title === title) ?? {}
      return new URL(href ?? '', 'http://foyer').searchParams.get('property_id')
    })
  expect(leadsTo([7])).toEqual(['7', '7', '7'])
  expect(leadsTo([7, 8])).toEqual([null, null, null])
})

test('a first property gets the portal that guests see, beside drafts of others, and a package that is offered', () => {
  const named = (id: number, status: string) => ({ id, name: `No. ${id}`, status })
  const packages = [named(5, 'active'), named(3, 'disabled'), named(4, 'active')]
  const drafted = [named(1, 'active'), named(2, 'draft')]
  expect(presetsOf({ portals: drafted, packages })).toEqual({ portal_id: 1, package_id: 4 })
  expect(presetsOf({ portals: [named(2, 'draft')], packages: [] })).toEqual({})
  expect(presetsOf({ portals: [named(1, 'active'), named(2, 'active')], packages: [] })).toEqual({})
})
