// Push: whatever fails on the way of a draft to the books, it is made once, and users read what to do.
import { expect, test } from 'vitest'
import { draftWork } from '#server/integrations/push.ts'
import { openFoyer } from '#test/foyer.ts'
import { inDatabase } from '#test/nights.ts'
import { type Xero } from '#test/providers/xero.ts'
import {
  xero,
  foyer,
  organisation,
  aContact,
  connect,
  contactId,
  aProperty,
  anApprovedRun,
  ready,
  asked,
  work,
  push,
  drafts,
  runOf,
  stateOf,
  due,
  created,
  lookedUp,
  openForEachFile,
} from '#test/approved-runs.ts'

openForEachFile()

test.each<[string, Parameters<Xero['goWrong']>[0], string]>([
  ['down', { at: created, act: { status: 503, text: 'The Organisation is offline' } }, 'not working'],
  ['garbage', { at: created, act: { status: 200, text: '<html>' } }, 'does not understand'],
  ['an answer without the draft', { at: created, act: { status: 200, body: { Invoices: [] } } }, 'did not say'],
  ['slow', { at: created, act: 'hang' }, 'could not be reached'],
  ['lost after the work was done', { at: created, act: 'lose' }, 'could not be reached'],
])('%s: it is reported, looked up, and there is one draft', { timeout: 60_000 }, async (_how, fault, sentence) => {
  const { run } = await ready()
  xero.goWrong(fault)
  const [waiting] = await push(run)
  expect(waiting).toMatchObject({ state: 'waiting', number: null })
  expect(waiting?.error).toContain(sentence)
  expect(waiting?.error).toContain('try again')
  const before = xero.requestsTo(lookedUp).length
  await due()
  await work()
  expect(xero.requestsTo(lookedUp).length).toBe(before + 1)
  expect(await drafts(run)).toMatchObject([{ state: 'sent', number: 'INV-0001', error: null }])
  expect(xero.books.drafts.length).toBe(1)
})

test('a look-up that fails sends nothing', async () => {
  const { run } = await ready()
  xero.goWrong({ at: created, act: 'lose' })
  await push(run)
  const sent = xero.requestsTo(created).length
  xero.goWrong({ at: lookedUp, act: { status: 500 } })
  await due()
  await work()
  expect(xero.requestsTo(created).length).toBe(sent)
  await due()
  await work()
  expect(await drafts(run)).toMatchObject([{ state: 'sent' }])
  expect(xero.books.drafts.length).toBe(1)
})

test('permanently out of order: after three days of attempts it is left to a user, and looked up once they try again', async () => {
  const { run } = await ready()
  xero.goWrong({ at: created, act: { status: 503 }, times: 100 })
  await push(run)
  // The tries of three days, but for the last two.
  const last_but_one = draftWork.tries_max - 2
  await inDatabase(foyer, `update due_work set tries = ${last_but_one} where kind = 'draft' and state = 'waiting'`)
  await due()
  await work()
  expect(await drafts(run)).toMatchObject([{ state: 'waiting' }])
  await due()
  await work()
  const [failed] = await drafts(run)
  expect(failed).toMatchObject({ state: 'failed', error: expect.stringContaining('try again later') })
  xero.goRight()
  expect(await push(run)).toMatchObject([{ id: failed?.id, state: 'sent' }])
  expect(xero.books.drafts.length).toBe(1)
})

test('a token that is refused once is renewed, and the draft is made', async () => {
  const { run } = await ready()
  xero.expire()
  expect(await push(run)).toMatchObject([{ state: 'sent' }])
})

test('consent that has ended stops everything and asks for a user; once renewed, it goes on', async () => {
  aContact('Harbour Group')
  const connection = await connect()
  const contact = await contactId('Harbour')
  const run = await anApprovedRun(await aProperty(contact), await aProperty(contact))
  xero.endConsent()
  const failed = await push(run)
  expect(failed.map(({ state }) => state)).toEqual(['failed', 'failed'])
  expect(failed[0]?.error).toContain('reconnect')
  expect(failed.map(({ fix }) => fix)).toEqual(['connection', 'connection'])
  expect(await stateOf(connection)).toBe('reconnect')
  expect(xero.books.drafts).toEqual([])
  const refused = await asked(run)
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Reconnect the accounting system')])
  expect((await drafts(run)).length).toBe(2)
  await connect(connection)
  expect((await push(run)).map(({ state }) => state)).toEqual(['sent', 'sent'])
  expect(xero.books.drafts.length).toBe(2)
})

test('a token that is refused even when new is used twice and no more, and a user is asked for', async () => {
  const { run, connection } = await ready()
  const over = { status: 401, body: { Title: 'Unauthorized', Status: 401, Detail: 'AuthenticationUnsuccessful' } }
  xero.goWrong({ at: created, act: over, times: 100 })
  const [renewed, made] = [xero.requestsTo(/token/).length, xero.requestsTo(created).length]
  expect(await push(run)).toMatchObject([
    { state: 'failed', fix: 'connection', error: expect.stringContaining('reconnect') },
  ])
  expect(xero.requestsTo(/token/).length).toBe(renewed + 1)
  expect(xero.requestsTo(created).length).toBe(made + 2)
  expect(await stateOf(connection)).toBe('reconnect')
  await due()
  await work()
  expect(xero.requestsTo(created).length).toBe(made + 2)
  xero.goRight()
  await connect(connection)
  expect(await push(run)).toMatchObject([{ state: 'sent' }])
  expect(xero.books.drafts.length).toBe(1)
})

test.each<[string, () => string]>([
  ['seconds', () => '900'],
  ['a date', () => new Date(Date.now() + 900_000).toUTCString()],
])('too many calls: it waits as long as the provider asks for, by %s, however often', async (_how, retryAfter) => {
  const { run } = await ready()
  xero.goWrong({ at: created, act: { status: 429, headers: { 'retry-after': retryAfter() } }, times: 20 })
  await push(run)
  for (let tries = 0; tries < 10; tries++) {
    await due()
    await work()
  }
  const [waiting] = await inDatabase<{ wait_s: number; state: string }>(
    foyer,
    `select d.state, extract(epoch from d.next_at - now())::float as wait_s from billing_invoices as i join due_work as d
       on d.kind = 'draft' and d.about_id = i.id where billing_run_id = $1`,
    [run],
  )
  expect(waiting?.state).toBe('waiting')
  expect(waiting?.wait_s).toBeGreaterThan(850)
  // Nothing is asked before that.
  const before = xero.requestsTo(created).length
  await work()
  expect(xero.requestsTo(created).length).toBe(before)
  xero.goRight()
  await due()
  await work()
  expect(await drafts(run)).toMatchObject([{ state: 'sent' }])
})

test('a renewal whose answer is lost: the same refresh token is sent again, and one draft is made', async () => {
  const { run, connection } = await ready()
  await inDatabase(foyer, 'update integration_tokens set expires_at = now() where accounting_integration_id = $1', [
    connection,
  ])
  xero.goWrong({ at: /token/, act: 'lose', times: 2 })
  expect(await push(run)).toMatchObject([{ state: 'waiting', error: expect.stringContaining('could not be reached') }])
  await due()
  await work()
  expect(await drafts(run)).toMatchObject([{ state: 'sent' }])
  expect(xero.books.drafts.length).toBe(1)
  expect(xero.grants.at(-1)?.access.length).toBe(1)
})

test('two nodes at once make each draft once, and renew once', async () => {
  aContact('Harbour Group')
  const connection = await connect()
  const contact = await contactId('Harbour')
  const run = await anApprovedRun(await aProperty(contact), await aProperty(contact), await aProperty(contact))
  const other = await openFoyer({ env: xero.env, database: foyer.database })
  await inDatabase(foyer, 'update integration_tokens set expires_at = now() where accounting_integration_id = $1', [
    connection,
  ])
  const [before, made] = [xero.requestsTo(/token/).length, xero.requestsTo(created).length]
  await Promise.all([asked(run), asked(run)])
  await Promise.all([work(), work(other), work(), work(other)])
  expect((await drafts(run)).map(({ state }) => state)).toEqual(['sent', 'sent', 'sent'])
  expect(xero.books.drafts.length).toBe(3)
  expect(xero.requestsTo(created).length).toBe(made + 3)
  expect(xero.requestsTo(/token/).length).toBe(before + 1)
  await other.services.tenancy.close()
})

test.each<[string, () => void, string]>([
  [
    'an archived contact',
    () => organisation().contacts.forEach((one) => Object.assign(one, { ContactStatus: 'ARCHIVED' })),
    'This contact is archived in Xero',
  ],
  ['a contact that is gone', () => void organisation().contacts.splice(0), 'no longer has this contact'],
  ['a currency that is not enabled', () => organisation().currencies.splice(0, 9, 'EUR'), 'Add GBP to its currencies'],
  ['a locked period', () => (organisation().lock_date = '2999-01-01'), 'Move the lock date in Xero'],
  [
    'a line total that is refused',
    () =>
      xero.goWrong({
        at: created,
        act: {
          status: 400,
          body: {
            Message: 'A validation exception occurred',
            Elements: [
              { ValidationErrors: [{ Message: 'The line total 1 does not match the expected line total 2' }] },
            ],
          },
        },
      }),
    'Xero says: “The line total 1 does not match',
  ],
])('%s is reported with what to do; once corrected, it is sent once', async (what, spoil, sentence) => {
  const { run, contact } = await ready()
  spoil()
  const [failed] = await push(run)
  expect(failed).toMatchObject({ state: 'failed', number: null, amount: '123.40' })
  expect(failed?.error).toContain(sentence)
  expect(failed?.fix).toBe(what.includes('contact') ? 'contact' : null)
  expect((await runOf(run)).drafts).toEqual({ waiting: 0, sent: 0, failed: 1, gone: 0, unsent: 0 })
  expect(xero.books.drafts).toEqual([])
  Object.assign(organisation(), { currencies: ['GBP'], lock_date: null })
  organisation().contacts.splice(0, 9, Object.assign(contact, { ContactStatus: 'ACTIVE', at: new Date() }))
  expect(await push(run)).toMatchObject([{ state: 'sent', error: null }])
  expect(xero.books.drafts.length).toBe(1)
})
