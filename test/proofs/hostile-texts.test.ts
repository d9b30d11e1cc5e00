// Hostile texts in exports and mails: a sheet contains them as plain text, and a mail gets no further headers. The full proof also uses
// a public collection of 91 texts, if it is installed. Pages: test/journeys/hostile-texts.spec.ts.
import { read, utils, type CellObject } from '@e965/xlsx'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as groups from '#contract/groups.ts'
import * as packages from '#contract/packages.ts'
import * as properties from '#contract/properties.ts'
import * as users from '#contract/users.ts'
import { aProperty, openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { openMailServer } from '#test/mail-server.ts'
import { textsToTry } from '#test/hostile-texts.ts'

/** The header lines of each mail, by recipient. */
const received = new Map<string, string[]>()
let mail_server: Awaited<ReturnType<typeof openMailServer>>
let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  mail_server = await openMailServer(({ to, text }) => {
    const [heads = ''] = text.split('\r\n\r\n')
    for (const address of to)
      received.set(
        address,
        heads.split('\r\n').filter((line) => !/^\s/.test(line)),
      )
  })
  foyer = await openFoyer({
    env: {
      ROLES: 'all',
      SMTP_URL: mail_server.url,
      MAIL_FROM: 'Foyer <wifi@foyer.example>',
      QUOTA_INVITATIONS: '1000',
      REQUESTS_PER_MINUTE: '1000000',
    },
  })
  editor = await foyer.customer()
})
afterAll(async () => {
  await foyer.close()
  await mail_server.close()
})

type List = typeof groups.exportList | typeof packages.exportList | typeof accounts.exportList

/** Creates a record with each text; returns the accepted names, as stored. */
async function acceptedNames(make: (text: string, nth: number) => Promise<{ status: number; body: unknown }>) {
  const names: string[] = []
  for (const [nth, text] of textsToTry.entries()) {
    const { status, body } = await make(text, nth)
    expect([200, 201, 422], text).toContain(status)
    if (status !== 422) names.push((body as { data: { name: string } }).data.name)
  }
  expect(names.length).toBeGreaterThan(textsToTry.length / 2)
  return names
}

/** Without the characters that XML, and so a workbook, cannot contain. */
const inXml = (text: string) => text.replaceAll(/[^\P{Cc}\t\n\r]/gu, '')

async function expectTexts(exportList: List, names: string[]) {
  const csv = await foyer.file(exportList, {}, editor)
  const lines: Record<string, string>[] = parse(csv.text, { bom: true, columns: true })
  const inCsv = lines.map(({ Name }) => Name)
  expect(inCsv).toEqual(expect.arrayContaining(names.map((name) => (/^\s*[=+@＝-]/.test(name) ? `'${name}` : name))))
  for (const line of lines) for (const cell of Object.values(line)) expect(cell).not.toMatch(/^\s*[=+@＝-]/)

  const book = read((await foyer.file(exportList, { format: 'xlsx' }, editor)).bytes, { cellFormula: true })
  const sheet = book.Sheets[book.SheetNames[0] ?? ''] ?? {}
  for (const [at, cell] of Object.entries(sheet) as [string, CellObject][]) {
    if (at.startsWith('!')) continue
    expect([cell.t, cell.f, cell.l], at).toEqual([expect.stringMatching(/^[snbd]$/), undefined, undefined])
  }
  const inXlsx = utils.sheet_to_json<{ Name: string }>(sheet).map(({ Name }) => Name)
  expect(inXlsx).toEqual(expect.arrayContaining(names.map(inXml)))
}

test('an exported list contains them as plain text, as csv and as xlsx', { timeout: 3_600_000 }, async ({ task }) => {
  const property_id = (await foyer.property(editor)).id
  const base = { property_id, password: 'quay-2345' }
  const lists: [List, string[]][] = [
    [groups.exportList, await acceptedNames((name) => foyer.send(groups.create, { name }, editor))],
    [packages.exportList, await acceptedNames((name) => foyer.send(packages.create, { name }, editor))],
    [
      accounts.exportList,
      await acceptedNames((name, nth) =>
        foyer.send(accounts.create, { ...base, name, username: `guest-${nth}` }, editor),
      ),
    ],
  ]
  for (const [exportList, names] of lists) await expectTexts(exportList, names)
  task.meta.figures = `${textsToTry.length} texts`
})

test('a mail gets no further headers from them, and is plain text', { timeout: 3_600_000 }, async ({ task }) => {
  const expected: string[] = []
  const mailAt = async (name: string, mailbox: string) => {
    const email = `${mailbox}@guest.example`
    const site = await foyer.send(properties.create, { ...aProperty(), name, send_email: true }, editor)
    if (site.status === 422) return
    const property_id = (site.body as { data: { id: number } }).data.id
    const guest = { name, username: mailbox, password: 'quay-2345', property_id, email }
    if ((await foyer.send(accounts.create, guest, editor)).status < 300) expected.push(email)
    const colleague = { name, email: `user-${email}`, user_type_id: 1 }
    if ((await foyer.send(users.invite, colleague, editor)).status < 300) expected.push(colleague.email)
  }
  await mailAt('plain', 'plain')
  for (const [nth, text] of textsToTry.entries()) await mailAt(text, `hostile-${nth}`)
  expect(expected.length).toBeGreaterThan(textsToTry.length / 2)
  await expect.poll(() => expected.filter((email) => !received.has(email)), { timeout: 1_200_000 }).toEqual([])
  const headNames = (email: string) => received.get(email)?.map((line) => line.replace(/:.*/, ''))
  for (const email of expected) {
    const plain = email.startsWith('user-') ? 'user-plain@guest.example' : 'plain@guest.example'
    expect(headNames(email), email).toEqual(headNames(plain))
    expect(received.get(email), email).toContainEqual(
      expect.stringMatching(/^Content-Type: text\/plain; charset=utf-8$/i),
    )
  }
  task.meta.figures = `${expected.length} mails`
})
