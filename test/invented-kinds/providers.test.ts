// Invented providers: one of marketing and one of accounting, each an object and a line in its list, and nothing else. They stand beside
// Mailchimp and Xero: offered, consented to, renewed, kept in line and told of guests, with accounts that are nobody else's.
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as accounting from '#contract/accounting-integrations.ts'
import * as marketing from '#contract/marketing-integrations.ts'
import { connect } from '#server/db/logins.ts'
import type { Consent } from '#server/connections/provider.ts'
import type { AccountingProvider } from '#server/integrations/accounting-provider.ts'
import type { IntegrationKind } from '#server/integrations/kind.ts'
import { integrationKinds } from '#server/integrations/kinds.ts'
import type { MarketingProvider } from '#server/integrations/marketing-provider.ts'
import type { Config } from '#server/start/config.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { openMailchimp, type Mailchimp } from '#test/providers/mailchimp.ts'
import { openProvider } from '#test/providers/provider-server.ts'
import { openXero, type Xero } from '#test/providers/xero.ts'
import { doing, errorsOf, patiently } from './asking.ts'

const parameter = {
  label: 'Letterbox',
  help: 'Where guests are written to.',
  options: [],
  required: true,
  once: true,
}
let post: Awaited<ReturnType<typeof openProvider>>
/** By this installation's client, as for each connection. */
function through({ clients }: Config, word: string): { api_url: string; consent: Consent } | null {
  const client = clients[word]
  return client === undefined
    ? null
    : {
        api_url: post.url,
        consent: {
          ...client,
          authorize_url: `${post.url}/consent`,
          token_url: `${post.url}/token`,
          revoke_url: null,
          scopes: [],
          secret_in: 'body',
          pkce: false,
        },
      }
}

const lettered: string[] = []
/** Of the account as Mailchimp calls another one. */
let account_id = ''
let audience_id = ''
const letters: IntegrationKind<MarketingProvider> = {
  definition: {
    integration_type: 'acme_letters',
    name: 'Acme Letters',
    parameters: [{ ...parameter, name: 'audience_id', choices_in: 'audiences' }],
  },
  open: (config) => {
    const way = through(config, 'ACME_LETTERS')
    return way && { ...way, provider: lettersProvider }
  },
}
const lettersProvider: MarketingProvider = {
  definition: letters.definition,
  account: () => Promise.resolve({ tenant_id: account_id, name: 'Hotels at Acme' }),
  audiences: () => Promise.resolve([{ id: audience_id, name: 'Guests' }]),
  keyOf: (email) => email,
  upsert: (_audience, { email }) => {
    lettered.push(email)
    return Promise.resolve({ state: 'subscribed', at: null })
  },
  added_max: 1,
  add: () => Promise.resolve(new Map()),
  async *inState() {},
  withdraw: () => Promise.resolve(),
  erase: () => Promise.resolve(),
  find: () => Promise.resolve(null),
}
const ledger: IntegrationKind<AccountingProvider> = {
  definition: {
    integration_type: 'acme_ledger',
    name: 'Acme Ledger',
    parameters: [{ ...parameter, name: 'tenant_id', choices_in: 'organisations' }],
  },
  open: (config) => {
    const way = through(config, 'ACME_LEDGER')
    return way && { ...way, provider: ledgerProvider }
  },
}
const ledgerProvider: AccountingProvider = {
  definition: ledger.definition,
  organisations: () => Promise.resolve([{ id: 'book 1', name: 'Hotels in the ledger' }]),
  organisation: () =>
    Promise.resolve({
      organisation_id: 'o1',
      name: 'Hotels in the ledger',
      accounts: [],
      tax_types: [],
      short_code: null,
    }),
  findDrafts: () => Promise.resolve(new Map()),
  makeDraft: () => Promise.reject(new Error('no draft is made here')),
  async *contacts() {},
}

let foyer: TestFoyer
let admin: Client
let editor: Person
let mailchimp: Mailchimp
let xero: Xero
beforeAll(async () => {
  ;(integrationKinds.marketing as IntegrationKind<MarketingProvider>[]).push(letters)
  ;(integrationKinds.accounting as IntegrationKind<AccountingProvider>[]).push(ledger)
  post = await openProvider(() => ({ status: 200, body: { access_token: 'a token', token_type: 'bearer' } }))
  ;[mailchimp, xero] = [await openMailchimp(), await openXero()]
  const client = { _CLIENT_ID: 'foyer', _CLIENT_SECRET: 'a secret' }
  const clients = Object.entries(client).flatMap(([end, value]) =>
    ['ACME_LETTERS', 'ACME_LEDGER'].map((word) => [word + end, value] as const),
  )
  foyer = await openFoyer({
    env: { ROLES: 'api,jobs', ...mailchimp.env, ...xero.env, ...Object.fromEntries(clients) },
  })
  admin = await connect(foyer.database.adminUrl)
  editor = await foyer.customer()
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
  await Promise.all([post.close(), mailchimp.close(), xero.close()])
})

const returned = (url: string) => ({ code: 'a code', state: new URL(url).searchParams.get('state') ?? '' })
describe('of marketing', () => {
  const { integration_type } = letters.definition
  const addressFor = async (asked: { integration_type?: string; id?: number }) =>
    (await foyer.get(marketing.authorize, asked, editor)).data.url

  test('it is offered beside Mailchimp, which is the one that nobody named', async () => {
    const { meta } = await foyer.get(marketing.list, {}, editor)
    expect(meta.providers.map(({ name, available }) => [name, available])).toEqual([
      ['Mailchimp', true],
      ['Acme Letters', true],
    ])
    expect(await addressFor({})).toContain(mailchimp.url)
    expect(await addressFor({ integration_type })).toContain(`${post.url}/consent`)
  })

  test('it is consented to, renewed at its own company, listed by its word, and told of guests', async () => {
    const first = await mailchimp.consent(await addressFor({}))
    const { data: other } = await foyer.get(marketing.create, first, editor)
    // What another company calls an account the same is another connection.
    account_id = other.tenant_id ?? ''
    audience_id = other.audience_id ?? ''
    expect([account_id, audience_id]).not.toContain('')
    const { data: made } = await foyer.get(marketing.create, returned(await addressFor({ integration_type })), editor)
    expect(made).toMatchObject({ integration_type, name: 'Hotels at Acme', audience_id, state: 'connected' })
    expect(made.id).not.toBe(other.id)
    expect(await addressFor({ id: made.id })).toContain(`${post.url}/consent`)
    const elsewhere = await foyer.ask(marketing.authorize, { id: made.id, integration_type: 'mailchimp' }, editor)
    expect(errorsOf(elsewhere)).toEqual({ integration_type: ['Please choose one of: acme_letters'] })
    const { data: again } = await foyer.get(marketing.create, returned(await addressFor({ id: made.id })), editor)
    expect(again.id).toBe(made.id)
    const { data: listed } = await foyer.get(
      marketing.list,
      { filters: { integration_type: [integration_type] } },
      editor,
    )
    expect(listed.map(({ id }) => id)).toEqual([made.id])

    const { id: property_id } = await foyer.property(editor)
    await admin.query(
      `with guest as (insert into guests (customer_id, property_id, email, name, confirmed_at)
         values ($1, $2, 'ada@example.com', 'Ada', now()) returning id)
       insert into consent_records (customer_id, guest_id, property_id, purpose, wording, method)
         select $1, id, $2, 'marketing_email', 'Write to me', 'checkbox' from guest`,
      [editor.user.customer.id, property_id],
    )
    await expect
      .poll(
        doing(foyer, editor, 'marketing_connection', () => lettered),
        patiently,
      )
      .toEqual(['ada@example.com'])
  })

  test('a word of no provider is refused, and says which there are', async () => {
    const one_of = ['Please choose one of: mailchimp, acme_letters']
    const asked = await foyer.ask(marketing.authorize, { integration_type: 'pigeon_post' }, editor)
    expect([asked.status, errorsOf(asked)]).toEqual([422, { integration_type: one_of }])
    const listed = (filter: string | string[]) =>
      foyer.ask(marketing.list, { filters: { integration_type: filter } }, editor)
    expect(errorsOf(await listed('pigeon_post'))).toEqual({ 'filters.integration_type': one_of })
    expect(errorsOf(await listed(['mailchimp', 'pigeon_post']))).toEqual({ 'filters.integration_type.1': one_of })
  })
})

test('one of accounting is offered beside Xero, consented to, and its books are read', async () => {
  const { integration_type } = ledger.definition
  const { meta } = await foyer.get(accounting.list, {}, editor)
  expect(meta.providers.map(({ name }) => name)).toEqual(['Xero', 'Acme Ledger'])
  expect((await foyer.get(accounting.authorize, {}, editor)).data.url).toContain(xero.url)
  const { url } = (await foyer.get(accounting.authorize, { integration_type }, editor)).data
  expect(url).toContain(`${post.url}/consent`)
  const { data: made } = await foyer.get(accounting.create, returned(url), editor)
  expect(made).toMatchObject({ integration_type, name: 'Hotels in the ledger', organisation_id: 'o1' })
  const unknown = await foyer.ask(accounting.authorize, { integration_type: 'abacus' }, editor)
  expect(errorsOf(unknown)).toEqual({ integration_type: ['Please choose one of: xero, acme_ledger'] })
})
