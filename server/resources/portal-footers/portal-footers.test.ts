// Footer branding: re-encoded, public on the guests' origin, one for each customer, and the removal of its unused files.
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Client } from 'pg'
import sharp from 'sharp'
import * as activity from '#contract/activity.ts'
import type { Input } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import * as footers from '#contract/portal-footers.ts'
import { removeUnusedFiles } from '#server/files/unused.ts'
import { clash, forbidden, notFound } from '#server/errors/refused.ts'
import { type Person, type TestFoyer } from '#test/foyer.ts'
import { openGuestPages, portal_url } from '#test/guest-pages.ts'
import { aPicture, photoOf, pngOf, pngSaying } from '#test/pictures.ts'
import { aFile, type TestFile } from '#test/uploads.ts'
import { changedMeanwhile } from '#contract/errors.ts'
import { expectRefused, nothingHere } from '#test/refused.ts'

let foyer: TestFoyer
let admin: Client
openGuestPages((pages) => ({ foyer, admin } = pages))

const make = async (who: Person, values: Partial<Input<typeof footers.create>> = {}) =>
  (await foyer.get(footers.create, { image: aPicture(), ...values }, who)).data
const open = async (address: string) => {
  if (!foyer.guest || !address.startsWith(`${portal_url}/`)) throw new Error(`not at the guests' origin: ${address}`)
  return foyer.guest.inject({ method: 'GET', url: address.slice(portal_url.length) })
}
const stored = (customer_id: number) => {
  const folder = path.join(foyer.storage, String(customer_id))
  return fs.existsSync(folder) ? fs.readdirSync(folder) : []
}
/** Makes all files look as if they had been stored that many days ago. */
async function age(days = 2) {
  await admin.query(`update files set created_at = now() - make_interval(days => $1)`, [days])
  const then = new Date(Date.now() - days * 86_400_000)
  for (const name of fs.readdirSync(foyer.storage, { recursive: true, encoding: 'utf8' }))
    fs.utimesSync(path.join(foyer.storage, name), then, then)
}
const cleanUp = () => removeUnusedFiles(foyer.services.tenancy, foyer.services.storage)

describe('a picture', () => {
  test('is served without a token, from the guests’ origin, with headers that keep it inert', async () => {
    const editor = await foyer.customer()
    const footer = await make(editor, { url: 'https://example.com/offers', image: aFile('Summer.PNG', await pngOf()) })
    expect(footer).toMatchObject({
      url: 'https://example.com/offers',
      image: { name: 'Summer.PNG', width: 640, height: 160 },
      status: 'active',
    })
    const answer = await open(footer.image_url)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
      'content-disposition': 'inline',
      'content-length': String(answer.rawPayload.length),
    })
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ format: 'png', width: 640, height: 160 })
    for (const address of ['/pictures/0', `/pictures/${'a'.repeat(32)}`, '/pictures/..%2f..%2fetc%2fpasswd'])
      expectRefused(await open(portal_url + address), nothingHere)
    // Not on the admin app's origin.
    expectRefused(await foyer.app.inject(footer.image_url.slice(portal_url.length)), notFound())
  })

  test('is re-encoded: upright, no larger than it is shown, and nothing of the original’s bytes is kept', async () => {
    const editor = await foyer.customer()
    const photo = await photoOf({ width: 1600, height: 3000 })
    expect(photo.toString('latin1')).toContain('hunter2')
    const hidden = Buffer.concat([photo, Buffer.from('<script>alert(1)</script>')])
    const footer = await make(editor, { image: aFile('photo.jpg', hidden) })
    // Once upright it is 3000 wide; the frame is 1200 by 400.
    expect(footer.image).toMatchObject({ width: 750, height: 400 })
    const { rawPayload, headers } = await open(footer.image_url)
    expect(headers['content-type']).toBe('image/jpeg')
    const metadata = await sharp(rawPayload).metadata()
    expect(metadata).toMatchObject({ width: 750, height: 400 })
    expect([metadata.exif, metadata.icc, metadata.xmp, metadata.orientation]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    const kept = stored(editor.user.customer.id).map((name) =>
      fs.readFileSync(path.join(foyer.storage, String(editor.user.customer.id), name), 'latin1'),
    )
    expect(kept).toHaveLength(1)
    for (const word of ['hunter2', '<script>', 'Exif']) expect(kept[0]).not.toContain(word)
  })

  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
  const gif = Buffer.from(
    '47494638396101000100800000ffffff00000021f90400000000002c00000000010001000002024401003b',
    'hex',
  )
  const refused: [string, () => TestFile | Promise<TestFile>, number, string][] = [
    ['a drawing called .png', () => aFile('a.png', svg), 422, 'not a picture that can be shown'],
    ['another kind of picture called .jpg', () => aFile('a.jpg', gif), 422, 'not a picture that can be shown'],
    ['a page called .png', () => aFile('a.png', '<html><script>1</script>'), 422, 'not a picture that can be shown'],
    ['a drawing', () => aFile('a.svg', svg), 415, 'Please choose a file of type .jpg, .jpeg, .png.'],
    ['nothing', () => aFile('a.png', ''), 422, 'not a picture that can be shown'],
    ['half a picture', async () => aFile('a.png', (await pngOf()).subarray(0, 400)), 422, 'damaged'],
    ['noise', () => aFile('a.png', Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(900, 7)])), 422, 'damaged'],
    ['more pixels than are decoded', () => aFile('a.png', pngSaying(5001, 5000, 5000)), 422, 'more than 25 million pixels'],
    ['two thousand million pixels', () => aFile('a.png', pngSaying(60_000, 40_000)), 422, 'more than 25 million pixels'],
    ['6 MB', () => aFile('a.png', Buffer.alloc(6_000_000, 1)), 413, messages.imports.tooLarge],
  ] // prettier-ignore
  test.each(refused)('is refused: %s', async (_, fileOf, status, sentence) => {
    const editor = await foyer.customer()
    const answer = await foyer.ask(footers.create, { image: await fileOf() }, editor)
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(sentence)])
    expect(answer.text).toContain('"image"')
    expect(stored(editor.user.customer.id)).toEqual([])
    expect((await foyer.get(footers.list, {}, editor)).data).toEqual([])
  })
})

describe('the footer', () => {
  test('is one of a customer: a second is refused with a sentence, until the first is deleted', async () => {
    const editor = await foyer.customer()
    const first = await make(editor)
    const second = await foyer.ask(footers.create, { image: aPicture() }, editor)
    expect(second).toMatchObject({
      status: 409,
      body: { message: 'There is already a footer. Change it, or delete it first.' },
    })
    const [one, other] = await Promise.all([make(await foyer.customer()), make(await foyer.customer())])
    expect(one.id).not.toBe(other.id)
    await foyer.get(footers.remove, { id: first.id }, editor)
    expect((await foyer.get(footers.list, {}, editor)).data).toEqual([])
    expect((await make(editor)).id).not.toBe(first.id)
  })

  test('made twice at once is made once', async () => {
    const editor = await foyer.customer()
    const answers = await Promise.all([1, 2, 3].map(() => foyer.ask(footers.create, { image: aPicture() }, editor)))
    expect(answers.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(1)
    expect(answers.every(({ status }) => [201, 409, 422].includes(status))).toBe(true)
    expect((await foyer.get(footers.list, {}, editor)).data).toHaveLength(1)
  })

  test('keeps its picture when the update brings none, and image_url stays out of what is sent', async () => {
    const editor = await foyer.customer()
    const { id, image_url } = await make(editor, { url: 'https://example.com' })
    expect('image_url' in footers.FooterInput.shape).toBe(false)
    const { data: renamed } = await foyer.get(footers.update, { id, url: 'https://example.org' }, editor)
    expect(renamed).toMatchObject({ url: 'https://example.org', image_url })
    const echoed = { id, image_url: 'https://elsewhere.example/x.png', active: false }
    expect((await foyer.get(footers.update, echoed, editor)).data).toMatchObject({ image_url, status: 'disabled' })
    const cleared = await foyer.send(footers.update, { id, url: '' }, editor)
    expect(cleared.body).toMatchObject({ data: { url: null, image_url } })
    const image = aFile('b.png', await pngOf())
    const { data: changed } = await foyer.get(footers.update, { id, image }, editor)
    expect(changed.image_url).not.toBe(image_url)
    expect((await open(changed.image_url)).statusCode).toBe(200)
  })

  test('is not overwritten by a user who has read an older one', async () => {
    const editor = await foyer.customer()
    const { id } = await make(editor, { url: 'https://example.com/a' })
    await foyer.get(footers.update, { id, url: 'https://example.com/b' }, editor)
    const was = JSON.stringify({ url: 'https://example.com/a' })
    const late = await foyer.send(footers.update, { id, url: 'https://example.com/c', was }, editor)
    expectRefused(late, clash(changedMeanwhile(editor.user.name), { url: [changedMeanwhile(editor.user.name)] }))
  })

  test('is disabled, activated, and toggled', async () => {
    const editor = await foyer.customer()
    const { id } = await make(editor)
    expect((await foyer.get(footers.deactivate, { id }, editor)).data.status).toBe('disabled')
    expect((await foyer.get(footers.activate, { id }, editor)).data.status).toBe('active')
    expect((await foyer.get(footers.toggle, { id }, editor)).data.status).toBe('disabled')
    expect((await foyer.get(footers.toggle, { id }, editor)).data.status).toBe('active')
    const lines = (await foyer.get(activity.list, { params: {} }, editor)).data
    expect(lines.filter(({ object_type }) => object_type === 'portal_footers').map(({ action }) => action)).toEqual([
      'activate',
      'deactivate',
      'activate',
      'deactivate',
      'create',
    ])
  })

  test('links to a web page and to nothing else', async () => {
    const editor = await foyer.customer()
    const wrong = [
      'javascript:alert(1)',
      'data:text/html,x',
      'mailto:a@example.com',
      '//example.com',
      'example.com',
      'https://',
      'https://example.com/a b',
      'https://bank.example@evil.example/',
    ]
    for (const url of wrong) {
      const answer = await foyer.ask(footers.create, { image: aPicture(), url }, editor)
      expect([answer.status, answer.text], url).toEqual([422, expect.stringContaining('Please enter an address')])
    }
  })

  test('is written by the customer’s editors only; others in reach read it', async () => {
    const editor = await foyer.customer()
    const { id } = await make(editor)
    const group = await foyer.group(editor)
    const others = [
      await foyer.viewer(editor),
      await foyer.invited(editor, { owner_type: 'Group', owner_id: group.id }),
    ]
    for (const who of others) {
      expect((await foyer.get(footers.list, {}, who)).data.map((footer) => footer.id)).toEqual([id])
      expectRefused(await foyer.ask(footers.update, { id, active: false }, who), forbidden())
      expectRefused(await foyer.ask(footers.remove, { id }, who), forbidden())
    }
  })
})

describe('unused files', () => {
  test('are removed a day after the last reference to them; files in use stay', async () => {
    const editor = await foyer.customer()
    const { id, image_url: former } = await make(editor)
    const { data: now } = await foyer.get(footers.update, { id, image: aFile('b.png', await pngOf()) }, editor)
    await cleanUp()
    expect((await open(former)).statusCode).toBe(200)
    await age()
    await cleanUp()
    expectRefused(await open(former), nothingHere)
    expect((await open(now.image_url)).statusCode).toBe(200)
    expect(stored(editor.user.customer.id)).toHaveLength(1)
    await foyer.get(footers.remove, { id }, editor)
    await age()
    await cleanUp()
    expectRefused(await open(now.image_url), nothingHere)
    expect(stored(editor.user.customer.id)).toEqual([])
  })

  test('that were stored but never recorded are removed, too', async () => {
    const editor = await foyer.customer()
    await foyer.services.storage.put(editor.user.customer.id, Buffer.from('left behind'))
    // The kernel dates files, by a clock that may differ from the program's.
    await age(0)
    await cleanUp()
    expect(stored(editor.user.customer.id)).toHaveLength(1)
    await age()
    await cleanUp()
    expect(stored(editor.user.customer.id)).toEqual([])
  })

  test('one content under two names stays until both are gone', async () => {
    const editor = await foyer.customer()
    const { id } = await make(editor)
    await foyer.get(footers.update, { id, image: aPicture('again.png') }, editor)
    expect(stored(editor.user.customer.id)).toHaveLength(1)
    await age()
    await cleanUp()
    const [footer] = (await foyer.get(footers.list, {}, editor)).data
    expect((await open(footer?.image_url ?? '')).statusCode).toBe(200)
  })

  test('the database refuses to delete one in use, whoever tries', async () => {
    const editor = await foyer.customer()
    await make(editor)
    const all = admin.query('delete from files where customer_id = $1', [editor.user.customer.id])
    await expect(all).rejects.toMatchObject({ code: '23503' })
  })

  test('content that is removed between being stored and being recorded is stored again', async () => {
    const editor = await foyer.customer()
    const { storage } = foyer.services
    const has = storage.has.bind(storage)
    // The job removes it at the last moment.
    storage.has = async (customer_id, hash) => {
      await storage.remove(customer_id, hash)
      return has(customer_id, hash)
    }
    const footer = await make(editor).finally(() => (storage.has = has))
    expect((await open(footer.image_url)).statusCode).toBe(200)
  })
})
