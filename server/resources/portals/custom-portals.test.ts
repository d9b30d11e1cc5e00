// Custom portals: a zip of pages is checked as a whole, replaced as a whole, and restored with an earlier design.
import fs from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from 'pg'
import * as customPortals from '#contract/custom-portals.ts'
import { messages } from '#contract/messages.ts'
import * as portals from '#contract/portals.ts'
import { refusals } from '#contract/errors.ts'
import { connect } from '#server/db/logins.ts'
import { invalid, notFound } from '#server/errors/refused.ts'
import { openFoyer, unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { hostileZips } from '#test/hostile-zips.ts'
import { aFile } from '#test/uploads.ts'
import { aPage, aPortalZip, aZip, type ZipEntry } from '#test/zips.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
let admin: Client
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  admin = await connect(foyer.database.adminUrl)
  editor = await foyer.customer()
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
})
// These tests make more requests than one user may in a minute.
beforeEach(() => admin.query('delete from rate_limits'))

const zip = (content: Buffer) => aFile('portal.zip', content)
const bring = (content: Buffer, more: object = {}, who = editor) =>
  foyer.ask(
    customPortals.createCustom,
    { name: unique('Portal'), auth_method_ids: [2], portal: zip(content), ...more },
    who,
  )
const made = async (...more: ZipEntry[]) => (await bring(aPortalZip(...more))).body.data

/** The files on the disk, of all customers. */
const stored = () => fs.readdirSync(foyer.storage, { recursive: true }).map(String).toSorted()
const pagesOf = async (portal_id: number) =>
  (
    await admin.query<{ path: string; zip_number: number }>(
      `select f.path, f.zip_number from portal_files f join portals p on p.id = f.portal_id
       where p.id = $1 and f.zip_number = p.zip_number order by f.path`,
      [portal_id],
    )
  ).rows.map(({ path, zip_number }) => `${zip_number} ${path}`)

describe('a zip of pages', () => {
  test('makes a custom portal with the given name and sign-in methods', async () => {
    const { status, body } = await bring(aPortalZip({ name: 'css/page.css', content: 'h1 {}' }), {
      name: 'Lobby, first floor',
    })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      name: 'Lobby, first floor',
      slug: 'lobby-first-floor',
      auth_method_ids: [2],
      portal_type_id: portals.portalTypes.custom,
      is_custom: true,
      zip_number: 1,
      status: 'active',
    })
    expect(await pagesOf(body.data.id)).toEqual(['1 css/page.css', '1 index.html'])
  })

  test('may be packed with its folder, stored or deflated, and with the extra files of a Mac', async () => {
    const content = aZip([
      { name: 'lobby/', mode: 0o040755 },
      { name: 'lobby/index.html', content: aPage('<img src="pictures/größe 1.svg">'), stored: true },
      { name: 'lobby/pictures/größe 1.svg', content: '<?xml version="1.0"?><!-- drawn --><svg></svg>' },
      { name: 'lobby/.DS_Store', content: 'x' },
      { name: 'lobby/pictures/.DS_Store/', mode: 0o040755 },
      { name: 'lobby/pictures/.DS_Store/x', content: 'x' },
      { name: '__MACOSX/lobby/._index.html', content: 'x' },
      { name: '__MACOSX/lobby/._Icon\r', content: 'x' },
      { name: 'lobby/.git/config', content: 'x' },
      { name: 'lobby/~$offer.docx', content: 'x' },
    ])
    const { status, body, text } = await bring(content)
    expect(status, text).toBe(201)
    expect(await pagesOf(body.data.id)).toEqual(['1 index.html', '1 pictures/größe 1.svg'])
    expect((body.data as unknown as { left_out: string[] }).left_out).toEqual([
      'lobby/.DS_Store',
      'lobby/pictures/.DS_Store/',
      'lobby/pictures/.DS_Store/x',
      '__MACOSX/lobby/._index.html',
      '__MACOSX/lobby/._Icon\ufffd',
      'lobby/.git/config',
      'lobby/~$offer.docx',
    ])
  })

  test('may name its files as people do: with an ampersand, with emoji', async () => {
    const picture = '<?xml version="1.0"?><svg></svg>'
    const names = ['salt & pepper.svg', 'beach 🏖️ day.svg', '👩‍🚀🇳🇱👍🏽☀.svg', 'a&b.svg']
    const written = [
      'salt &amp; pepper.svg',
      'beach%20%F0%9F%8F%96%EF%B8%8F%20day.svg',
      '&#x1f469;&#8205;🚀🇳🇱👍🏽☀.svg',
      'a&b.svg',
    ]
    const content = aZip([
      { name: 'index.html', content: aPage(written.map((name) => `<img src="${name}">`).join('')) },
      ...names.map((name) => ({ name, content: picture })),
    ])
    const { status, body, text } = await bring(content)
    expect(status, text).toBe(201)
    expect(new Set(await pagesOf(body.data.id))).toEqual(new Set([...names, 'index.html'].map((name) => `1 ${name}`)))
    // Invisible characters are accepted only within an emoji.
    const hidden = aZip([
      { name: 'index.html', content: aPage() },
      { name: 'a\u200db.svg', content: picture },
    ])
    expectRefused(
      await bring(hidden),
      invalid({
        portal: [
          '“a�b.svg” has a name with characters that an address cannot have. Use letters, digits, spaces, dots and hyphens.',
        ],
      }),
    )
  })

  test('reports each missing field with its own message', async () => {
    const { body } = await foyer.send(customPortals.createCustom, { portal: zip(aPortalZip()) }, editor)
    expect(body).toMatchObject({
      errors: { name: [messages.portal.nameRequired], auth_method_ids: [messages.portal.authMethodRequired] },
    })
    const empty = await bring(aPortalZip(), { name: ' ', auth_method_ids: [] })
    expect(empty.body).toMatchObject({
      errors: { name: [messages.portal.nameRequired], auth_method_ids: [messages.portal.authMethodRequired] },
    })
    const { status, body: none } = await foyer.send(
      customPortals.createCustom,
      { name: 'A', auth_method_ids: [1] },
      editor,
    )
    expect([status, none]).toMatchObject([422, { errors: { portal: [messages.fields.required] } }])
  })

  test('of another type, or too large, is not read', async () => {
    const picture = { name: 'A', auth_method_ids: [1], portal: aFile('portal.png', aPortalZip()) }
    expectRefused(await foyer.send(customPortals.createCustom, picture, editor), {
      ...refusals.unsupported,
      message: 'Please choose a file of type .zip.',
      errors: { portal: ['Please choose a file of type .zip.'] },
    })
    const { status, text } = await bring(Buffer.alloc(5_200_000))
    expect([status, text]).toEqual([413, expect.stringContaining(messages.imports.tooLarge)])
  })

  test('has a name that no other portal of the customer has', async () => {
    const { name, slug } = await made()
    const { status, body } = await bring(aPortalZip(), { name })
    expect([status, body]).toMatchObject([422, { errors: { name: [messages.portal.exists] } }])
    // No short name was given, so none is refused.
    const { body: other } = await bring(aPortalZip(), { name: `${name}!` })
    expect(other.data.slug).toMatch(new RegExp(`^${slug}-[0-9a-f]{6}$`))
  })

  test('is counted by its unpacked size', async () => {
    await bring(aPortalZip({ name: 'words.txt', content: 'a word '.repeat(10_000) }), {}, await foyer.customer())
    const { rows } = await admin.query<{ used: string }>(
      `select used from used_quotas where quota = 'uploaded_bytes' order by customer_id desc limit 1`,
    )
    expect(Number(rows[0]?.used)).toBeGreaterThan(70_000)
  })
})

describe('another zip', () => {
  test('replaces all pages at once', async () => {
    const { id } = await made({ name: 'old.txt', content: 'old' })
    const { data } = await foyer.get(
      customPortals.updateCustom,
      { id, portal: zip(aPortalZip({ name: 'new.txt', content: 'new' })) },
      editor,
    )
    expect(data).toMatchObject({ id, zip_number: 2 })
    expect(await pagesOf(id)).toEqual(['2 index.html', '2 new.txt'])
  })

  test('waits its turn if several are sent at once: guests see the pages of one', async () => {
    const { id } = await made()
    const names = ['a', 'b', 'c', 'd']
    const answers = await Promise.all(
      names.map((name) =>
        foyer.ask(
          customPortals.updateCustom,
          { id, portal: zip(aPortalZip({ name: `${name}.txt`, content: name })) },
          editor,
        ),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(answers.map(({ body }) => body.data.zip_number))).toEqual(new Set([2, 3, 4, 5]))
    const { data } = await foyer.get(portals.get, { id }, editor)
    expect(data.zip_number).toBe(5)
    expect(await pagesOf(id)).toEqual([expect.stringMatching(/^5 [abcd]\.txt$/), '5 index.html'])
  })

  test('that is refused leaves the pages as they were', async () => {
    const { id } = await made({ name: 'old.txt', content: 'old' })
    const refused = await foyer.ask(
      customPortals.updateCustom,
      { id, portal: zip(aPortalZip({ name: 'x.php' })) },
      editor,
    )
    expectRefused(
      refused,
      invalid({
        portal: [
          '“x.php” is of a type that pages for guests cannot have: .php. Take .html, .css, .js, .json, .txt, .svg, .png, .jpg, ' +
            '.jpeg, .gif, .webp, .ico, .woff, .woff2, .ttf.',
        ],
      }),
    )
    expect(await pagesOf(id)).toEqual(['1 index.html', '1 old.txt'])
  })

  test('is refused for a portal that is not a custom one, and for another customer’s', async () => {
    const { id } = await foyer.portal(editor)
    const portal = zip(aPortalZip())
    expectRefused(
      await foyer.ask(customPortals.updateCustom, { id, portal }, editor),
      invalid({ portal: ['Only a custom portal has pages that a zip can replace.'] }),
    )
    const { id: custom } = await made()
    const neighbour = await foyer.customer()
    expectRefused(await foyer.ask(customPortals.updateCustom, { id: custom, portal }, neighbour), notFound())
  })
})

test('an earlier design is restored with its pages, and a copy gets pages of its own', async () => {
  const { id } = await made({ name: 'first.txt', content: '1' })
  await foyer.get(customPortals.updateCustom, { id, portal: zip(aPortalZip({ name: 'second.txt' })) }, editor)
  await foyer.get(portals.restore, { id, number: 1 }, editor)
  expect(await pagesOf(id)).toEqual(['1 first.txt', '1 index.html'])
  // The next zip gets a number that no version has.
  await foyer.get(customPortals.updateCustom, { id, portal: zip(aPortalZip({ name: 'third.txt' })) }, editor)
  expect(await pagesOf(id)).toEqual(['3 index.html', '3 third.txt'])

  const { data: copy } = await foyer.get(portals.duplicate, { id, name: unique('Copy') }, editor)
  expect(copy).toMatchObject({ is_custom: true, zip_number: 1, status: 'draft' })
  await foyer.get(portals.remove, { id }, editor)
  expect(await pagesOf(copy.id)).toEqual(['1 index.html', '1 third.txt'])
  const { rows } = await admin.query('select from portal_files where portal_id = $1', [id])
  expect(rows).toEqual([])
})

describe('refused with its own reason, and nothing of it kept', () => {
  test.each(hostileZips)('%s', async (_, content, sentence) => {
    const before = stored()
    const { status, body } = await bring(content())
    const { portal = [], ...others } = (body as unknown as { errors: Record<string, string[]> }).errors
    expect([status, portal.join('\n')]).toEqual([422, expect.stringContaining(sentence)])
    expect(others).toEqual({})
    expect(stored()).toEqual(before)
  })

  test('each of many files, up to a hundred, with its name', async () => {
    const wrong = Array.from({ length: 130 }, (_, index) => ({ name: `run ${index}.php` }))
    const { body } = await bring(aPortalZip(...wrong))
    const { portal = [] } = (body as unknown as { errors: Record<string, string[]> }).errors
    expect(portal).toHaveLength(101)
    expect(portal[0]).toMatch(/^“run 0\.php” is of a type/)
    expect(portal.at(-1)).toBe('And 30 more.')
  })

  test('a name with hidden characters is shown with them made visible', async () => {
    const { text } = await bring(aPortalZip({ name: 'a\u202egnp.php\u0007' }))
    expect(text).toContain('a\ufffdgnp.php\ufffd')
  })
})
