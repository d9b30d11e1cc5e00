// Deleted drafts: what an accountant deleted in the books is noticed, and made again once where a user asks for it.
import { expect, test } from 'vitest'
import * as integrations from '#contract/accounting-integrations.ts'
import * as invoices from '#contract/billing-invoices.ts'
import { inDatabase } from '#test/nights.ts'
import {
  xero,
  foyer,
  editor,
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
  runOf,
  stateOf,
  due,
  created,
  lookedUp,
  openForEachFile,
} from '#test/approved-runs.ts'

openForEachFile()

const look = async (id: number) => (await foyer.get(invoices.check, { id }, editor)).data.drafts
const renew = async (id: number) => {
  await foyer.get(invoices.push, { id, renew: true }, editor)
  await work()
  return drafts(id)
}

test.each<[string, string]>([
  ['deleted', 'DELETED'],
  ['voided', 'VOIDED'],
])(
  '%s in the books: it is noticed, and made again once when a user asks for it; the first is kept as a trace',
  async (as, status) => {
    const { run } = await ready()
    await push(run)
    expect(await look(run)).toMatchObject({ sent: 1, gone: 0 })
    xero.books.remove('INV-0001', status === 'VOIDED' ? 'VOIDED' : 'DELETED')
    expect(await look(run)).toMatchObject({ sent: 0, gone: 1, unsent: 0 })
    expect(await drafts(run)).toMatchObject([{ state: 'gone', gone_as: as, number: 'INV-0001', replaced_at: null }])

    // Not without a request: it may have been deleted on purpose.
    const refused = await asked(run)
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('made again')])
    expect(await preview(run)).toEqual([])
    expect(xero.books.drafts.length).toBe(1)

    await Promise.all([1, 2, 3].map(() => foyer.ask(invoices.push, { id: run, renew: true }, editor)))
    await Promise.all([work(), work()])
    const [first, second, another] = await drafts(run)
    const [gone, sent] = first?.state === 'gone' ? [first, second] : [second, first]
    expect(gone).toMatchObject({ state: 'gone', number: 'INV-0001', replaced_at: expect.stringMatching(/^20/) })
    expect(sent).toMatchObject({ state: 'sent', number: 'INV-0002', amount: '123.40' })
    expect(another).toBeUndefined()
    expect(xero.books.drafts.map(({ Status }) => Status)).toEqual([status, 'DRAFT'])
    expect(xero.books.drafts[0]?.Reference).not.toBe(xero.books.drafts[1]?.Reference)
    expect(await look(run)).toMatchObject({ sent: 1, gone: 0 })
    await renew(run)
    expect(xero.books.drafts.length).toBe(2)
  },
)

test('what still exists there is never made a second time: a draft, an approved one, the copy of a deleted one', async () => {
  const { run } = await ready()
  await push(run)
  await renew(run)
  xero.books.approve('INV-0001')
  expect(await look(run)).toMatchObject({ sent: 1, gone: 0 })
  await renew(run)
  xero.books.copy('INV-0001')
  xero.books.remove('INV-0001', 'VOIDED')
  expect(await look(run)).toMatchObject({ sent: 1, gone: 0 })
  await renew(run)
  expect(xero.books.drafts.length).toBe(2)
  xero.books.remove('INV-0002')
  expect(await look(run)).toMatchObject({ sent: 0, gone: 1 })
})

test('among many invoices and credit notes, only the deleted ones are made again', async () => {
  aContact('Harbour Group')
  await connect()
  const contact = await contactId('Harbour')
  const of: Awaited<ReturnType<typeof aProperty>>[] = []
  for (let made = 0; made < 22; made++) of.push(await aProperty(contact))
  const run = await anApprovedRun(...of)
  await push(run)
  xero.books.remove('INV-0001')
  xero.books.remove('INV-0022')
  expect(await look(run)).toMatchObject({ sent: 20, gone: 2 })
  await renew(run)
  expect(await runOf(run)).toMatchObject({ drafts: { waiting: 0, sent: 22, failed: 0, gone: 0, unsent: 0 } })
  expect(xero.books.drafts.filter(({ Status }) => Status === 'DRAFT').length).toBe(22)
})

test.each<[string, () => void, number, string]>([
  ['is out of order', () => xero.goWrong({ at: lookedUp, act: { status: 503 } }), 409, 'not working'],
  [
    'answers garbage',
    () => xero.goWrong({ at: lookedUp, act: { status: 200, text: '<html>' } }),
    409,
    'does not understand',
  ],
  ['does not know it', () => void xero.books.drafts.splice(0), 200, ''],
])('if the provider %s, the draft is assumed to exist', async (_how, fault, status, sentence) => {
  const { run } = await ready()
  await push(run)
  fault()
  const answer = await foyer.ask(invoices.check, { id: run }, editor)
  expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(sentence)])
  expect(await drafts(run)).toMatchObject([{ state: 'sent' }])
  expect((await foyer.ask(invoices.push, { id: run, renew: true }, editor)).status).toBe(200)
  expect((await drafts(run)).length).toBe(1)
})

test('ended consent is reported, also on the connection; so is a removed connection', async () => {
  const { run, connection } = await ready()
  await push(run)
  xero.endConsent()
  expect((await foyer.ask(invoices.check, { id: run }, editor)).text).toContain('reconnect')
  expect(await stateOf(connection)).toBe('reconnect')
  await foyer.get(integrations.remove, { id: connection }, editor)
  expect((await foyer.ask(invoices.check, { id: run }, editor)).text).toContain('no longer connected')
  expect(await drafts(run)).toMatchObject([{ state: 'sent' }])
})

test('in the books of another provider that has an organisation of the same id, nothing is looked for', async () => {
  const { run, connection } = await ready()
  await push(run)
  xero.books.remove('INV-0001', 'DELETED')
  const ofProvider = (integration_type: string) =>
    inDatabase(foyer, 'update accounting_integrations set integration_type = $1 where id = $2', [
      integration_type,
      connection,
    ])
  await ofProvider('books')
  const refused = await foyer.ask(invoices.check, { id: run }, editor)
  expect(refused.text).toContain('no longer connected')
  await ofProvider('xero')
  expect(await look(run)).toMatchObject({ sent: 0, gone: 1 })
})

test('deleted there before its lost answer was looked up, it is gone and not sent again automatically', async () => {
  const { run } = await ready()
  xero.goWrong({ at: created, act: 'lose' })
  await push(run)
  xero.books.remove('INV-0001')
  await due()
  await work()
  expect(await drafts(run)).toMatchObject([{ state: 'gone', gone_as: 'deleted', number: 'INV-0001' }])
  expect(xero.books.drafts.length).toBe(1)
  await renew(run)
  expect(xero.books.drafts.length).toBe(2)
})
