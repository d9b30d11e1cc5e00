// Accounting integrations: consent, the choice of an organisation, contacts, and what users read when Xero fails.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as integrations from '#contract/accounting-integrations.ts'
import * as properties from '#contract/properties.ts'
import { selectedInvalid } from '#contract/errors.ts'
import { syncAccounting } from '#server/integrations/accounting.ts'
import { connect as connectTo } from '#server/db/logins.ts'
import { forbidden, invalid } from '#server/errors/refused.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { openXero, type Xero } from '#test/providers/xero.ts'
import { expectRefused } from '#test/refused.ts'

let xero: Xero
let foyer: TestFoyer
let editor: Person
let admin: Awaited<ReturnType<typeof connectTo>>
beforeAll(async () => {
  xero = await openXero()
  foyer = await openFoyer({ env: xero.env })
  admin = await connectTo(foyer.database.adminUrl)
})
afterAll(async () => {
  await admin?.end()
  await foyer?.close()
  await xero?.close()
})
beforeEach(async () => {
  xero.goRight()
  xero.organisations.splice(0, Infinity, xero.anOrganisation('Maple Hotels Ltd'))
  await admin.query('delete from rate_limits')
  editor = await foyer.customer()
})

const begin = async (who = editor, id?: number) =>
  (await foyer.get(integrations.authorize, id === undefined ? {} : { id }, who)).data.url
async function connect(who = editor, id?: number) {
  return (await foyer.get(integrations.create, await xero.consent(await begin(who, id)), who)).data
}
const own = async (id: number, who = editor) => (await foyer.get(integrations.get, { id }, who)).data
const sync = (id: number, who = editor) => syncAccounting(foyer.services, who.user.customer.id, id)
const only = () => {
  const [first] = xero.organisations
  if (!first) throw new Error('there is one')
  return first
}
const aContact = (name: string, more: object = {}) => ({
  ContactID: crypto.randomUUID(),
  Name: name,
  ContactStatus: 'ACTIVE',
  IsCustomer: true,
  at: new Date(),
  ...more,
})
/** Lets the access token expire by our clock. */
const expireHere = (id: number) =>
  admin.query('update integration_tokens set expires_at = now() where accounting_integration_id = $1', [id])

describe('connecting', () => {
  test('asks for the narrow permissions, with PKCE and a state that reveals nothing', async () => {
    const url = new URL(await begin())
    expect(url.searchParams.get('scope')).toBe(
      'offline_access accounting.invoices accounting.contacts accounting.settings.read',
    )
    expect(url.searchParams.get('code_challenge_method')).toBe('S256')
    expect(url.searchParams.get('redirect_uri')).toBe('http://foyer.test/customer/user-profile?context=integrations')
    expect(url.searchParams.get('state')).toMatch(/^accounting\.[\w-]{43}$/)
  })

  test('takes the only organisation, with its choices, and answers no token', async () => {
    const { data } = await foyer.get(integrations.create, await xero.consent(await begin()), editor)
    expect(data).toMatchObject({
      integration_type: 'xero',
      state: 'connected',
      name: 'Maple Hotels Ltd',
      tenant_id: only().tenantId,
      organisation_id: only().tenantId,
      accounts: [
        { id: '200', name: '200 Sales' },
        { id: '260', name: '260 Other Revenue' },
      ],
      tax_types: [
        { id: 'OUTPUT2', name: '20% (VAT on Income)' },
        { id: 'NONE', name: 'No VAT' },
      ],
      last_error: null,
    })
    const listed = await foyer.ask(integrations.list, {}, editor)
    expect(listed.body.meta.integrations).toEqual(listed.body.data)
    expect(listed.body.meta.providers).toMatchObject([{ integration_type: 'xero', available: true }])
    for (const grant of xero.grants) expect(listed.text).not.toContain(grant.refresh)
    const { rows } = await admin.query<{ row: string }>('select t::text as row from integration_tokens t')
    expect(rows.map(({ row }) => row).join()).not.toContain(
      Buffer.from(xero.grants.at(-1)?.refresh ?? '-').toString('hex'),
    )
  })

  test('among several organisations one is chosen, once', async () => {
    xero.organisations.push(xero.anOrganisation('Oak Hotels Ltd'))
    const { id, state, organisations } = await connect()
    expect(state).toBe('choose')
    expect(organisations.map(({ name }) => name)).toEqual(['Maple Hotels Ltd', 'Oak Hotels Ltd'])
    const wrong = await foyer.ask(integrations.update, { id, tenant_id: 'somebody else’s' }, editor)
    expectRefused(wrong, invalid({ tenant_id: [selectedInvalid('tenant_id')] }))
    const oak = xero.organisations[1]?.tenantId ?? ''
    const { data } = await foyer.get(integrations.update, { id, tenant_id: oak, account_code: '260' }, editor)
    expect(data).toMatchObject({ state: 'connected', name: 'Oak Hotels Ltd', tenant_id: oak, account_code: '260' })
    const again = await foyer.ask(integrations.update, { id, tenant_id: only().tenantId }, editor)
    expectRefused(
      again,
      invalid({ tenant_id: ['The organisation cannot be changed. To use another one, connect again.'] }),
    )
    const unknown = await foyer.ask(integrations.update, { id, account_code: '999', tax_type: 'INPUT2' }, editor)
    expectRefused(
      unknown,
      invalid({ account_code: [selectedInvalid('account_code')], tax_type: [selectedInvalid('tax_type')] }),
    )
  })

  const startedElsewhere = { state: ['This was started elsewhere, or too long ago. Please connect again.'] }
  const notAccepted = { code: ['The provider did not accept this code. Please connect again.'] }
  test.each<[string, (given: { code: string; state: string }) => Promise<[{ code: string; state: string }, Person]>]>([
    ['a state that was never issued', async (given) => [{ ...given, state: 'accounting.guessed' }, editor]],
    [
      'a state of marketing',
      async (given) => [{ ...given, state: given.state.replace('accounting', 'marketing') }, editor],
    ],
    ['a colleague’s authorisation', async (given) => [given, await foyer.invited(editor)]],
    ['another customer’s authorisation', async (given) => [given, await foyer.customer()]],
    ['a code that was never issued', async (given) => [{ ...given, code: 'guessed' }, editor]],
    [
      'a code that was used once',
      async (given) => {
        const { data } = await foyer.get(integrations.create, given, editor)
        await foyer.get(integrations.remove, { id: data.id }, editor)
        const { url } = (await foyer.get(integrations.authorize, {}, editor)).data
        return [{ code: given.code, state: new URL(url).searchParams.get('state') ?? '' }, editor]
      },
    ],
  ])('%s is refused, and nothing is kept', async (what, turned) => {
    const [given, who] = await turned(await xero.consent(await begin()))
    expectRefused(
      await foyer.ask(integrations.create, given, who),
      invalid(what.startsWith('a code') ? notAccepted : startedElsewhere),
    )
    expect((await foyer.get(integrations.list, {}, editor)).data).toEqual([])
    expect((await foyer.get(integrations.list, {}, who)).data).toEqual([])
  })

  test('an authorisation is valid once, and for ten minutes', async () => {
    const given = await xero.consent(await begin())
    await foyer.get(integrations.create, given, editor)
    expectRefused(await foyer.ask(integrations.create, given, editor), invalid(startedElsewhere))
    const late = await xero.consent(await begin())
    await admin.query(`update oauth_states set expires_at = now() where used_at is null`)
    expectRefused(await foyer.ask(integrations.create, late, editor), invalid(startedElsewhere))
  })

  test('a permission that was withheld is named', async () => {
    const given = await xero.consent(await begin(), ['accounting.invoices'])
    expectRefused(
      await foyer.ask(integrations.create, given, editor),
      invalid({ code: ['Xero did not give the permission accounting.invoices. Please connect again and allow it.'] }),
    )
  })

  test.each<[string, Parameters<Xero['goWrong']>[0]]>([
    ['garbage', { at: /connections/, act: { status: 200, text: '<html>' } }],
    ['out of order', { at: /Organisation/, act: { status: 503, text: 'The Organisation is offline' } }],
    ['cut off', { at: /Accounts/, act: 'lose' }],
  ])('a provider that is %s at that moment loses nothing: the next synchronisation goes on', async (_how, fault) => {
    xero.goWrong(fault)
    const { id, last_error } = await connect()
    expect(last_error).toMatch(/try again/)
    await sync(id)
    // Which organisation to use is still for the user to choose.
    expect(await own(id)).toMatchObject({ last_error: null, organisations: [{ name: 'Maple Hotels Ltd' }] })
  })

  test('a token endpoint that is down is reported, and the user can start again', async () => {
    xero.goWrong({ at: /token/, act: { status: 502, text: 'Bad gateway' } })
    expectRefused(
      await foyer.ask(integrations.create, await xero.consent(await begin()), editor),
      invalid({ code: ['Xero is not working at the moment. Please connect again.'] }),
    )
    expect((await connect()).state).toBe('connected')
  })
})

describe('an expired token', () => {
  test('is renewed once, by the first of two nodes, however long that takes, and both go on', async () => {
    const { id } = await connect()
    const other = await openFoyer({ env: xero.env, database: foyer.database })
    const there = () => syncAccounting(other.services, editor.user.customer.id, id)
    // Whoever asks a second time would do so while the first answer is held back.
    for (let round = 0; round < 3; round++) {
      await expireHere(id)
      const before = xero.requestsTo(/token/).length
      const held = xero.holds(/token/)
      const all = Promise.all([sync(id), there(), sync(id), there()])
      await held.asked
      await sleep(1000)
      expect(xero.requestsTo(/token/).length).toBe(before + 1)
      held.answers()
      await all
      expect(xero.requestsTo(/token/).length).toBe(before + 1)
    }
    expect((await own(id)).state).toBe('connected')
    await other.services.tenancy.close()
  })

  test('that Xero refuses before its expiry is renewed, too', async () => {
    const { id } = await connect()
    xero.expire()
    await sync(id)
    expect(await own(id)).toMatchObject({ state: 'connected', last_error: null })
  })

  test('whose renewal gets no answer is renewed with the same refresh token, so that one connection survives', async () => {
    const { id } = await connect()
    await expireHere(id)
    xero.goWrong({ at: /token/, act: 'lose' })
    await sync(id)
    expect(await own(id)).toMatchObject({ state: 'failing' })
    await sync(id)
    expect(await own(id)).toMatchObject({ state: 'connected', last_error: null })
    expect(xero.grants.at(-1)?.access.length).toBe(1)
  })

  test('whose renewing node died is renewed by another, after a while', async () => {
    const { id } = await connect()
    await expireHere(id)
    await admin.query(
      `update integration_tokens set renewal = gen_random_uuid(), renewing_until = now() + interval '400 milliseconds'
       where accounting_integration_id = $1`,
      [id],
    )
    await sync(id)
    expect((await own(id)).state).toBe('connected')
  })

  test('whose renewal is refused for good asks for a user, stops all calls, and is replaced by a new consent', async () => {
    const { id } = await connect()
    xero.endConsent()
    await expireHere(id)
    await sync(id)
    expect(await own(id)).toMatchObject({ state: 'reconnect', name: 'Maple Hotels Ltd' })
    const due = await admin.query('select next_sync_at from accounting_integrations where id = $1', [id])
    expect(due.rows).toEqual([{ next_sync_at: null }])
    const again = await connect(editor, id)
    expect(again).toMatchObject({ id, state: 'connected', last_error: null })
    expect((await foyer.get(integrations.list, {}, editor)).data.length).toBe(1)
  })
})

describe('contacts', () => {
  test('are read page by page, can be searched, and change', async () => {
    only().contacts = Array.from({ length: 101 }, (_, index) => aContact(`Contact ${index}`))
    only().contacts.push(aContact('', { Name: undefined, FirstName: 'Ada', EmailAddress: 'ada@example.com' }))
    const { id } = await connect()
    await sync(id)
    const { data, meta } = await foyer.get(integrations.contacts, { searchValue: 'ada@' }, editor)
    expect(data).toMatchObject([{ label: 'Ada', first_name: 'Ada', status: 'active', type: 'customer' }])
    expect(meta.contacts).toEqual(data)
    const whole = await foyer.get(integrations.contacts, { per_page: 200 }, editor)
    expect(whole.data.length).toBe(102)
    const [first] = only().contacts
    if (first) Object.assign(first, { Name: 'Renamed', ContactStatus: 'ARCHIVED', at: new Date() })
    await sync(id)
    const renamed = await foyer.get(integrations.contacts, { searchValue: 'renamed' }, editor)
    expect(renamed.data).toMatchObject([{ name: 'Renamed', status: 'archived' }])
  })

  test('are offered to selects by their name, and shown with what is billed to them', async () => {
    only().contacts = [aContact('Harbour Group'), aContact('Gone Group', { ContactStatus: 'ARCHIVED' })]
    only().contacts.push(aContact('', { Name: undefined, FirstName: 'Ada' }))
    const { id } = await connect()
    await sync(id)
    const all = await foyer.get(integrations.names, {}, editor)
    expect(all.data.map(({ name, status }) => [name, status])).toEqual([
      ['Ada', 'active'],
      ['Gone Group', 'disabled'],
      ['Harbour Group', 'active'],
    ])
    const found = await foyer.get(integrations.nameList, { searchValue: 'harbour' }, editor)
    expect(found.data).toMatchObject([{ name: 'Harbour Group' }])
    const contact = { id: found.data[0]?.id ?? 0, name: 'Harbour Group' }
    const property = await foyer.property(editor, { accounting_contact_id: contact.id })
    expect(property.accounting_contact).toEqual(contact)
    const device = await foyer.device(editor, { property_id: property.id, accounting_contact_id: contact.id })
    expect(device.accounting_contact).toEqual(contact)
    // Users of the property read its contact, but neither choose one nor see the others.
    const keeper = await foyer.invited(editor, { owner_type: 'Property', owner_id: property.id })
    expect((await foyer.get(properties.get, { id: property.id }, keeper)).data.accounting_contact).toEqual(contact)
    expectRefused(await foyer.ask(integrations.nameList, {}, keeper), forbidden())
    const theirs = { id: property.id, accounting_contact_id: null }
    expectRefused(await foyer.ask(properties.update, theirs, keeper), forbidden())
  })

  test('one that was merged into another hands over its properties', async () => {
    const [was, next] = [aContact('Was'), aContact('Next')]
    only().contacts = [was, next]
    const { id } = await connect()
    await sync(id)
    const [contact] = (await foyer.get(integrations.contacts, { searchValue: 'was' }, editor)).data
    const property = await foyer.property(editor, { accounting_contact_id: contact?.id })
    Object.assign(was, { ContactStatus: 'ARCHIVED', MergedToContactID: next.ContactID, at: new Date() })
    await sync(id)
    const [now] = (await foyer.get(integrations.contacts, { params: { property_id: property.id } }, editor)).data
    expect(now).toMatchObject({ name: 'Next', property_id: property.id })
  })

  test('merged again and again, the one that is left has the property, in whatever order they are told', async () => {
    const all = ['First', 'Second', 'Third', 'Fourth'].map((name) => aContact(name))
    const [first, second, third, fourth] = all
    only().contacts = all
    const { id } = await connect()
    await sync(id)
    const [contact] = (await foyer.get(integrations.contacts, { searchValue: 'first' }, editor)).data
    const property = await foyer.property(editor, { accounting_contact_id: contact?.id })
    const long_ago = () => {
      for (const one of all) one.at = new Date('2020-01-01')
    }
    const merge = (was: typeof first, next: typeof first) =>
      Object.assign(was ?? {}, { ContactStatus: 'ARCHIVED', MergedToContactID: next?.ContactID, at: new Date() })
    const payer = async () =>
      (await foyer.get(properties.get, { id: property.id }, editor)).data.accounting_contact?.name
    long_ago()
    merge(second, third)
    merge(first, second)
    await sync(id)
    expect(await payer()).toBe('Third')
    long_ago()
    merge(third, fourth)
    await sync(id)
    expect(await payer()).toBe('Fourth')
    // A circle is no contact, and no reason to stop.
    merge(fourth, third)
    await sync(id)
    expect((await own(id)).state).toBe('connected')
  })

  test('stay when their connection is removed, and belong to the next one of the same organisation', async () => {
    only().contacts = [aContact('Harbour Group')]
    const first = await connect()
    await sync(first.id)
    const [contact] = (await foyer.get(integrations.contacts, {}, editor)).data
    const property = await foyer.property(editor, { accounting_contact_id: contact?.id })
    await foyer.get(integrations.remove, { id: first.id }, editor)
    expect(xero.requestsTo(/revocation/).length).toBeGreaterThan(0)
    expect((await foyer.get(integrations.list, {}, editor)).data).toEqual([])
    const left = await admin.query('select from integration_tokens where accounting_integration_id = $1', [first.id])
    expect(left.rows).toEqual([])
    const saved = await foyer.get(properties.update, { id: property.id, accounting_contact_id: contact?.id }, editor)
    expect(saved.data.accounting_contact_id).toBe(contact?.id)
    const second = await connect()
    await sync(second.id)
    const [taken] = (await foyer.get(integrations.contacts, {}, editor)).data
    expect(taken).toMatchObject({ id: contact?.id, accounting_integration_id: second.id, property_id: property.id })
  })
})

describe('consent for the same organisation', () => {
  const settings = { account_code: '260', tax_type: 'NONE', invoice_per: 'contact' } as const
  /** Among two, so that it has to be chosen each time. */
  const choose = async (id: number) =>
    (await foyer.get(integrations.update, { id, tenant_id: only().tenantId }, editor)).data
  beforeEach(() => void xero.organisations.push(xero.anOrganisation('Oak Hotels Ltd')))
  const first = async () => {
    only().contacts = [aContact('Harbour Group')]
    const { id } = await choose((await connect()).id)
    await foyer.get(integrations.update, { id, ...settings }, editor)
    await sync(id)
    return id
  }
  const living = async () => (await foyer.get(integrations.list, {}, editor)).data.map((one) => one.id)

  test('given beside the one that stands, there is one connection with its settings, and its new tokens work', async () => {
    const id = await first()
    const second = await connect()
    expect(second.state).toBe('choose')
    const former = xero.grants.at(-2)
    if (former) former.over = true
    expect(await choose(second.id)).toMatchObject({ id, ...settings, state: 'connected' })
    expect(await living()).toEqual([id])
    await sync(id)
    expect(await own(id)).toMatchObject({ state: 'connected', last_error: null })
  })

  test('given anew without saying for which, the one that waits for it goes on', async () => {
    const id = await first()
    xero.endConsent()
    await expireHere(id)
    await sync(id)
    expect(await connect()).toMatchObject({ id, ...settings, state: 'connected' })
    expect(await living()).toEqual([id])
  })

  test('given after it was taken down, the same connection comes back with settings and contacts', async () => {
    const id = await first()
    await foyer.get(integrations.remove, { id }, editor)
    expect(await living()).toEqual([])
    expect(await choose((await connect()).id)).toMatchObject({ id, ...settings, state: 'connected' })
    expect(await living()).toEqual([id])
    expect((await foyer.get(integrations.contacts, {}, editor)).data).toMatchObject([{ accounting_integration_id: id }])
    // Another organisation is another connection.
    const other = await connect()
    const another = await foyer.get(
      integrations.update,
      { id: other.id, tenant_id: xero.organisations[1]?.tenantId },
      editor,
    )
    expect(another.data).toMatchObject({ id: other.id, account_code: null })
    expect((await living()).length).toBe(2)
  })
})

describe('failures', () => {
  test.each<[string, Parameters<Xero['goWrong']>[0], string]>([
    [
      'too many calls',
      { at: /Contacts/, act: { status: 429, headers: { 'retry-after': '900' } } },
      'asks Foyer to wait',
    ],
    ['offline', { at: /Contacts/, act: { status: 503 } }, 'not working'],
    ['garbage', { at: /Contacts/, act: { status: 200, text: '{"Contacts": 3}' } }, 'does not understand'],
    ['cut off', { at: /Contacts/, act: 'lose' }, 'could not be reached'],
    ['slow', { at: /Contacts/, act: 'hang' }, 'could not be reached'],
  ])(
    '%s is shown on the connection, old data stay, and the next synchronisation succeeds',
    { timeout: 60_000 },
    async (_how, fault, sentence) => {
      only().contacts = [aContact('Harbour Group')]
      const { id } = await connect()
      await sync(id)
      xero.goWrong(fault)
      await sync(id)
      const { state, last_error, accounts } = await own(id)
      expect({ state, accounts: accounts.length }).toEqual({ state: 'failing', accounts: 2 })
      expect(last_error).toContain(sentence)
      expect((await foyer.get(integrations.contacts, {}, editor)).data.length).toBe(1)
      const waiting = await admin.query<{ wait_s: number }>(
        'select extract(epoch from next_sync_at - now())::float as wait_s from accounting_integrations where id = $1',
        [id],
      )
      expect(waiting.rows[0]?.wait_s).toBeGreaterThan(
        fault.act === 'lose' || !('headers' in Object(fault.act)) ? 30 : 850,
      )
      await sync(id)
      expect(await own(id)).toMatchObject({ state: 'connected', last_error: null })
    },
  )

  test('a consent given while the organisations cannot be read is kept, and tried when they can', async () => {
    const { id, tenant_id, organisations } = await connect()
    only().connected = false
    await sync(id)
    only().connected = true
    xero.goWrong({ at: /connections/, act: { status: 503 } })
    const again = await connect(editor, id)
    expect(again).toMatchObject({ id, tenant_id, organisations, state: 'failing' })
    expect(again.last_error).toContain('not working')
    await sync(id)
    expect(await own(id)).toMatchObject({ state: 'connected', last_error: null })
    // One for another organisation is found out then, too.
    xero.goWrong({ at: /connections/, act: { status: 503 } })
    xero.organisations.splice(0, Infinity, xero.anOrganisation('Oak Hotels Ltd'))
    expect(await connect(editor, id)).toMatchObject({ id, tenant_id, state: 'failing' })
    await sync(id)
    expect(await own(id)).toMatchObject({ state: 'reconnect', name: 'Maple Hotels Ltd' })
  })

  test('an organisation that revoked Foyer’s access asks for a user', async () => {
    const { id } = await connect()
    only().connected = false
    await sync(id)
    expect(await own(id)).toMatchObject({ state: 'reconnect' })
  })

  test('if the installation is not set up for it, nobody is redirected to the provider', async () => {
    const bare = await openFoyer()
    const somebody = await bare.customer()
    expectRefused(
      await bare.ask(integrations.authorize, {}, somebody),
      invalid({ integration_type: ['This installation is not set up for it. Ask whoever runs Foyer.'] }),
    )
    const { meta } = await bare.get(integrations.list, {}, somebody)
    expect(meta.providers).toMatchObject([{ available: false }])
    await bare.close()
  })
})
