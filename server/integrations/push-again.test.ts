// Pushed again: a draft with another contact, one that may be in the books already, and one that another node sends.
import { expect, test } from 'vitest'
import * as integrations from '#contract/accounting-integrations.ts'
import * as activity from '#contract/activity.ts'
import * as invoices from '#contract/billing-invoices.ts'
import * as dueWork from '#contract/due-work.ts'
import * as properties from '#contract/properties.ts'
import { syncAccounting } from '#server/integrations/accounting.ts'
import { draftWork } from '#server/integrations/push.ts'
import { clash } from '#server/errors/refused.ts'
import { inDatabase } from '#test/nights.ts'
import {
  xero,
  foyer,
  editor,
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
  preview,
  stateOf,
  due,
  adopted,
  claimFirst,
  created,
  lookedUp,
  openForEachFile,
} from '#test/approved-runs.ts'
import { expectRefused } from '#test/refused.ts'

openForEachFile()

test('another contact can be chosen for the property if the month’s own is archived', async () => {
  const { run, property, contact, connection } = await ready()
  aContact('Bay Group')
  Object.assign(contact, { ContactStatus: 'ARCHIVED', at: new Date() })
  await syncAccounting(foyer.services, editor.user.customer.id, connection)
  expect(await preview(run)).toMatchObject([{ ready: true, fix: 'contact', contact: { name: 'Harbour Group' } }])
  await foyer.get(properties.update, { id: property.id, accounting_contact_id: await contactId('Bay') }, editor)
  expect(await preview(run)).toMatchObject([{ ready: true, problem: null, contact: { name: 'Bay Group' } }])
  expect(await push(run)).toMatchObject([{ state: 'sent', contact: { name: 'Bay Group' } }])
})

test('tried again in the list of due work, it is planned anew: with the contact that was chosen for it since', async () => {
  const { run, property, contact, connection } = await ready()
  aContact('Bay Group')
  Object.assign(contact, { ContactStatus: 'ARCHIVED', at: new Date() })
  await syncAccounting(foyer.services, editor.user.customer.id, connection)
  const [failed] = await push(run)
  expect(failed).toMatchObject({ state: 'failed', fix: 'contact' })
  const listed = async () => (await foyer.get(dueWork.list, { filters: { kind: ['draft'] } }, editor)).data
  const ids = (await listed()).map(({ id }) => id)
  const retried = () => foyer.ask(dueWork.retry, { ids }, editor)

  await foyer.get(properties.update, { id: property.id, accounting_contact_id: await contactId('Bay') }, editor)
  await foyer.get(integrations.update, { id: connection, account_code: '260' }, editor)
  // What stops it is said, and it stays as it was.
  await inDatabase(foyer, 'update accounting_integrations set needs_reconnect = true where id = $1', [connection])
  const refused = await retried()
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Reconnect the accounting system')])
  expect(await drafts(run)).toEqual([failed])
  await inDatabase(foyer, 'update accounting_integrations set needs_reconnect = false where id = $1', [connection])

  expect((await retried()).status).toBe(200)
  await work()
  expect(await drafts(run)).toMatchObject([{ state: 'sent', contact: { name: 'Bay Group' } }])
  expect(xero.books.drafts.map(({ LineItems }) => LineItems?.[0]?.AccountCode)).toEqual(['260'])
  expect(await listed()).toEqual([])
  const { data: lines } = await foyer.get(activity.list, { filters: { object_type: ['due_work'] } }, editor)
  expect(lines).toMatchObject([{ object_id: ids[0], after: { state: 'waiting' } }])
})

test('one that may be in the books of an organisation that was disconnected is not tried again in that list', async () => {
  const { run, connection } = await ready()
  xero.goWrong({ at: created, act: 'lose' })
  await push(run)
  await foyer.get(integrations.remove, { id: connection }, editor)
  await due()
  await work()
  const before = await drafts(run)
  const { data } = await foyer.get(dueWork.list, { filters: { kind: ['draft'] } }, editor)
  const refused = await foyer.ask(dueWork.retry, { ids: data.map(({ id }) => id) }, editor)
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('no longer connected')])
  expect(await drafts(run)).toEqual(before)
})

test('a merged contact is followed, before and after the push was requested', async () => {
  const { run, contact, connection } = await ready()
  const next = aContact('Harbour Holdings')
  const merged = () =>
    Object.assign(contact, { ContactStatus: 'ARCHIVED', MergedToContactID: next.ContactID, at: new Date() })
  await foyer.get(invoices.push, { id: run }, editor)
  merged()
  await work()
  expect(await drafts(run)).toMatchObject([{ state: 'sent', contact: { name: 'Harbour Holdings' } }])
  expect(xero.books.drafts[0]?.Contact?.ContactID).toBe(next.ContactID)
  const { data } = await foyer.get(integrations.contacts, { searchValue: 'Holdings' }, editor)
  expect(data[0]?.accounting_integration_id).toBe(connection)
})

test('a contact merged twice is followed for a draft that may be in the books, once these do not have it', async () => {
  const { run, contact } = await ready()
  const [next, last] = [aContact('Harbour Holdings'), aContact('Harbour International')]
  // The call itself is lost: nothing was made.
  xero.goWrong({ at: created, act: { status: 503 } })
  await push(run)
  Object.assign(contact, { ContactStatus: 'ARCHIVED', MergedToContactID: next.ContactID, at: new Date() })
  Object.assign(next, { ContactStatus: 'ARCHIVED', MergedToContactID: last.ContactID, at: new Date() })
  await due()
  await work()
  expect(await drafts(run)).toMatchObject([{ state: 'sent', contact: { name: 'Harbour International' } }])
  expect(xero.books.drafts.map((draft) => draft.Contact?.ContactID)).toEqual([last.ContactID])
})

test('one that was made before its contact was merged is found, and not made again', async () => {
  const { run, contact } = await ready()
  const next = aContact('Harbour Holdings')
  xero.goWrong({ at: created, act: 'lose' })
  await push(run)
  Object.assign(contact, { ContactStatus: 'ARCHIVED', MergedToContactID: next.ContactID, at: new Date() })
  await due()
  await work()
  // It stands there under the contact that it was made for.
  expect(await drafts(run)).toMatchObject([{ state: 'sent', number: 'INV-0001', contact: { name: 'Harbour Group' } }])
  expect(xero.books.drafts.length).toBe(1)
})

test('a contact merged into one that Foyer does not have is said to be that: nobody can restore it', async () => {
  const { run, contact, connection } = await ready()
  Object.assign(contact, { ContactStatus: 'ARCHIVED', MergedToContactID: crypto.randomUUID(), at: new Date() })
  await syncAccounting(foyer.services, editor.user.customer.id, connection)
  expect(await preview(run)).toMatchObject([{ fix: 'contact', problem: expect.stringContaining('was merged into') }])
  const [failed] = await push(run)
  expect(failed).toMatchObject({ state: 'failed', fix: 'contact', error: expect.stringContaining('was merged into') })
  expect(failed?.error).not.toContain('Restore')
})

test('a provider that asks to wait is not asked for the other drafts either', async () => {
  aContact('Harbour Group')
  await connect()
  const contact = await contactId('Harbour')
  const run = await anApprovedRun(await aProperty(contact), await aProperty(contact), await aProperty(contact))
  const before = xero.requestsTo(created).length
  xero.goWrong({ at: created, act: { status: 429, headers: { 'retry-after': '300' } }, times: 100 })
  await push(run)
  await work()
  expect(xero.requestsTo(created).length).toBe(before + 1)
  expect((await drafts(run)).map(({ state }) => state)).toEqual(['waiting', 'waiting', 'waiting'])
})

test('an organisation that revoked Foyer’s access asks for a user', async () => {
  const { run, connection } = await ready()
  organisation().connected = false
  expect(await push(run)).toMatchObject([{ state: 'failed', error: expect.stringContaining('Please reconnect') }])
  expect(await stateOf(connection)).toBe('reconnect')
  organisation().connected = true
  await connect(connection)
  expect(await push(run)).toMatchObject([{ state: 'sent' }])
})

test('disconnected while it waits: nothing is sent; connected again, what may have been made is looked up first', async () => {
  const { run, connection } = await ready()
  xero.goWrong({ at: created, act: 'lose' })
  await push(run)
  await foyer.get(integrations.remove, { id: connection }, editor)
  await due()
  await work()
  expect(await drafts(run)).toMatchObject([{ state: 'failed', error: expect.stringContaining('no longer connected') }])
  const refused = await asked(run)
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('no longer connected')])
  // Another organisation knows nothing of it.
  const maple = organisation()
  xero.organisations.splice(0, 1, xero.anOrganisation('Oak Hotels Ltd'))
  await connect()
  expectRefused(
    await asked(run),
    clash('The organisation that this run was sent to is no longer connected. Connect it, then try again.'),
  )
  xero.organisations.splice(0, 1, maple)
  await connect()
  expect(await push(run)).toMatchObject([{ state: 'sent', number: 'INV-0001' }])
  expect(xero.books.drafts.length).toBe(1)
})

test('an organisation of another provider that has the same id is another one', async () => {
  const { run, connection } = await ready()
  xero.goWrong({ at: created, act: 'lose' })
  await push(run)
  await foyer.get(integrations.remove, { id: connection }, editor)
  await due()
  await work()
  const connected = await connect()
  const ofProvider = (integration_type: string) =>
    inDatabase(foyer, 'update accounting_integrations set integration_type = $1 where id = $2', [
      integration_type,
      connected,
    ])
  await ofProvider('books')
  const refused = await asked(run)
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('no longer connected')])
  await ofProvider('xero')
  expect(await push(run)).toMatchObject([{ state: 'sent', number: 'INV-0001' }])
  expect(xero.books.drafts.length).toBe(1)
})

test('a draft that another node is sending is left to it until its lease expires', async () => {
  const { run } = await ready()
  await foyer.get(invoices.push, { id: run }, editor)
  const claim = (until: string) =>
    inDatabase(
      foyer,
      `update billing_invoices set claim = gen_random_uuid(), is_unsure = true, claimed_until = now() + $2::interval
       where billing_run_id = $1`,
      [run, until],
    )
  await claim('1 minute')
  await work()
  expect(await drafts(run)).toMatchObject([{ state: 'waiting' }])
  const [job] = await inDatabase<{ count: number }>(
    foyer,
    `select count(*)::integer as count from due_work as d join billing_invoices as i on i.id = d.about_id
     where d.kind = 'draft' and d.next_at > now() + interval '30 seconds' and i.billing_run_id = $1`,
    [run],
  )
  expect(job?.count).toBe(1)
  await claim('0')
  await due()
  await work()
  expect(await drafts(run)).toMatchObject([{ state: 'sent' }])
})

test.each<[string, (made: number[], run: number) => Promise<void>]>([
  [
    'which a node of the release before was sending',
    async (made, run) => {
      await inDatabase(foyer, `delete from due_work where kind = 'draft' and about_id = any($1)`, [made])
      await claimFirst(made)
      await adopted(run)
    },
  ],
  [
    'which a node of the release before began to send once it was queued',
    async (made) => {
      await claimFirst(made)
      await inDatabase(
        foyer,
        `update due_work set is_unsure = false, next_at = now() where kind = 'draft' and about_id = any($1)`,
        [made],
      )
    },
  ],
  [
    'which somebody has dismissed as unknown',
    async (_, run) => {
      await inDatabase(foyer, `update due_work set tries = $1 where kind = 'draft'`, [draftWork.tries_max - 1])
      xero.goWrong({ at: lookedUp, act: { status: 503 }, times: 2 })
      await due()
      await work()
      const { data } = await foyer.get(dueWork.list, { filters: { kind: ['draft'], state: ['unknown'] } }, editor)
      expect(data).toHaveLength(2)
      await foyer.get(dueWork.dismiss, { ids: data.map(({ id }) => id), reason: 'Nothing found' }, editor)
      await foyer.get(invoices.push, { id: run }, editor)
    },
  ],
])('a draft that may be in the books, %s, is looked up also after its connection has failed', async (_, prepare) => {
  aContact('Harbour Group')
  const connection = await connect()
  const contact = await contactId('Harbour')
  const run = await anApprovedRun(await aProperty(contact), await aProperty(contact))
  await foyer.get(invoices.push, { id: run }, editor)
  const ids = (await drafts(run)).map(({ id }) => id).toSorted((a, b) => a - b)
  // Both were made, and their answers are lost.
  xero.goWrong({ at: created, act: 'lose', times: 2 })
  await work()
  await prepare(ids, run)
  xero.endConsent()
  await work()
  expect((await drafts(run)).map(({ state }) => state)).toEqual(['failed', 'failed'])
  await connect(connection)
  expect((await push(run)).map(({ state }) => state)).toEqual(['sent', 'sent'])
  expect(xero.books.drafts).toHaveLength(2)
})
