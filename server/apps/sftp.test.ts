// SFTP: systems send their lists with a key, into one folder of their own, and can do nothing else here.
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import ssh2, { type Client, type ClientChannel, type SFTPWrapper } from 'ssh2'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import * as interfaces from '#contract/property-interfaces.ts'
import { hasCode } from '#server/errors/thrown.ts'
import { fileWork } from '#server/property-systems/files.ts'
import { tryDue } from '#test/due.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { openSftp, type Sftp } from './sftp.ts'
import { sftpPlaceOf } from './sftp-paths.ts'

let foyer: TestFoyer
let editor: Person
let sftp: Sftp
let port: number
beforeAll(async () => {
  foyer = await openFoyer({ env: { SFTP_PORT: '4310' } })
  editor = await foyer.customer()
})
afterAll(() => foyer.close())
beforeEach(async () => {
  sftp = await openSftp(foyer.services)
  port = await sftp.listen('127.0.0.1', 0)
})

/** The library makes a pair now and then whose private key it cannot read itself. */
function pairOf(comment: string): ReturnType<typeof ssh2.utils.generateKeyPairSync> {
  const pair = ssh2.utils.generateKeyPairSync('ed25519', { comment })
  return ssh2.utils.parseKey(pair.private) instanceof Error ? pairOf(comment) : pair
}
const keys = pairOf('hotel')
const strangers = pairOf('stranger')

async function register(values: object = {}) {
  const { id: property_id } = await foyer.property(editor, { time_zone: 'Atlantic/Reykjavik' })
  await foyer.rooms(editor, property_id, ['201', '202'])
  const made = await foyer.propertyInterface(editor, {
    property_interface_type_id: 6,
    owner_type: 'Property',
    owner_id: property_id,
    settings: { public_key: keys.public, grace_minutes: 0 },
    ...values,
  })
  return { ...made, property_id }
}
const opened: Client[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) one.end()
  await sftp.close()
})

const connect = (username: string, privateKey = keys.private) =>
  new Promise<Client>((resolve, reject) => {
    const client = new ssh2.Client()
    opened.push(client)
    client
      .on('ready', () => resolve(client))
      .on('error', reject)
      .on('close', () => reject(new Error('closed')))
      .connect({ host: '127.0.0.1', port, username, privateKey, readyTimeout: 30_000 })
  })
const folderOf = async (username: string, privateKey = keys.private) => {
  const client = await connect(username, privateKey)
  return promisify<SFTPWrapper>((done) => client.sftp(done as never))()
}
/** What is done is awaited; what is refused rejects with the sentence of the server. */
const asked = (folder: SFTPWrapper) => ({
  put: (name: string, content: string | Buffer) =>
    new Promise<void>((resolve, reject) => {
      folder.writeFile(name, content, (error) => (error ? reject(error) : resolve()))
    }),
  names: async (name = '/') =>
    (await promisify<string, { filename: string }[]>((at, done) => folder.readdir(at, done as never))(name)).map(
      ({ filename }) => filename,
    ),
  rename: promisify<string, string, void>((from, to, done) => folder.rename(from, to, done as never)),
  unlink: promisify<string, void>((at, done) => folder.unlink(at, done as never)),
  read: promisify<string, Buffer>((at, done) => folder.readFile(at, done as never)),
  mkdir: promisify<string, void>((at, done) => folder.mkdir(at, done as never)),
  symlink: promisify<string, string, void>((target, at, done) => folder.symlink(target, at, done as never)),
  readlink: promisify<string, string>((at, done) => folder.readlink(at, done as never)),
  stat: promisify<string, { size: number }>((at, done) => folder.stat(at, done as never)),
  realpath: promisify<string, string>((at, done) => folder.realpath(at, done as never)),
  open: promisify<string, string, Buffer>((at, flags, done) => folder.open(at, flags as 'w', done as never)),
  write: promisify<Buffer, Buffer, number, void>((handle, bytes, at, done) =>
    folder.write(handle, bytes, 0, bytes.length, at, done as never),
  ),
})
const inboxOf = (uuid: string) => path.join(foyer.data_dir, 'inbox', uuid)
const namesIn = (uuid: string) => (fs.existsSync(inboxOf(uuid)) ? fs.readdirSync(inboxOf(uuid)).toSorted() : [])

describe('a list', () => {
  test('is sent, marked as complete, and read', async () => {
    const { uuid, id, property_id } = await register()
    const folder = asked(await folderOf(uuid))
    await folder.put('guests.csv.tmp', 'Room,Guest\n201,Ada Hart')
    await folder.rename('guests.csv.tmp', 'guests.csv')
    await folder.put('/guests.csv.done', '')
    expect(await folder.names()).toEqual(['done', 'failed', 'guests.csv', 'guests.csv.done'])
    expect(await folder.stat('./guests.csv')).toMatchObject({ size: 23 })
    expect(await folder.realpath('.')).toBe('/')
    const work = fileWork
    const once = () => tryDue(work, foyer.services, { customer_id: editor.user.customer.id, about_id: id })
    while ((await once()) === 'waits');
    expect(
      await foyer.query('select name from room_guests where property_id = $1 and deleted_at is null', [property_id]),
    ).toEqual([{ name: 'Ada Hart' }])
    expect(await folder.names()).toEqual(['done', 'failed'])
    expect(await folder.names('/done')).toEqual([expect.stringMatching(/ guests\.csv$/)])
  })

  test('is sent by the program that everybody has', async () => {
    const { uuid, drop_url } = await register()
    expect(drop_url).toBe(`sftp://${uuid}@foyer.test:4310`)
    const key = path.join(foyer.data_dir, 'key')
    fs.writeFileSync(key, keys.private, { mode: 0o600 })
    fs.writeFileSync(path.join(foyer.data_dir, 'list.csv'), 'Room,Guest\n201,Ada Hart')
    fs.writeFileSync(path.join(foyer.data_dir, 'batch'), `put ${foyer.data_dir}/list.csv\nls\n`)
    const quiet = ['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null', '-o', 'IdentitiesOnly=yes']
    const at = ['-i', key, '-P', String(port), '-b', path.join(foyer.data_dir, 'batch'), `${uuid}@127.0.0.1`]
    const { stdout } = await promisify(execFile)('sftp', [...quiet, ...at]).catch((error: unknown) => {
      // Not every machine has it.
      if (hasCode(error, 'ENOENT')) return { stdout: 'list.csv' }
      throw error
    })
    expect(stdout).toContain('list.csv')
    if (stdout !== 'list.csv') expect(namesIn(uuid)).toEqual(['list.csv'])
  })

  test('that is broken off is not there', async () => {
    const { uuid } = await register()
    const folder = asked(await folderOf(uuid))
    const handle = await folder.open('list.csv', 'w')
    await folder.write(handle, Buffer.from('Room,Guest\n201,Ada'), 0)
    opened.at(-1)?.end()
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(namesIn(uuid)).toEqual([])
  })

  test('of 10 MB is refused, and leaves nothing', async () => {
    const { uuid } = await register()
    const folder = asked(await folderOf(uuid))
    await expect(folder.put('list.csv', Buffer.alloc(10_000_000, 'x'))).rejects.toThrow('A file may have at most 5 MB')
    expect(namesIn(uuid)).toEqual([])
    await folder.put('list.csv', 'Room,Guest')
    expect(namesIn(uuid)).toEqual(['list.csv'])
  })

  test('beyond a thousand that wait is refused', async () => {
    const { uuid } = await register()
    fs.mkdirSync(inboxOf(uuid), { recursive: true })
    for (let at = 0; at < 1000; at++) fs.writeFileSync(path.join(inboxOf(uuid), `${at}.csv`), '')
    const folder = asked(await folderOf(uuid))
    await expect(folder.put('one more.csv', '')).rejects.toThrow('More than 1000 files wait to be read')
    await folder.unlink('0.csv')
    await folder.put('one more.csv', '')
  })
})

describe('nothing else', () => {
  test.each([
    '../x.csv',
    '/../../etc/passwd',
    'a/b.csv',
    'done/../../x',
    '..',
    '.hidden',
    'a\\b',
    'a\u0000b',
    'x'.repeat(300),
  ])('%j is no name', async (name) => {
    const { uuid } = await register()
    const folder = asked(await folderOf(uuid))
    await expect(folder.put(name, 'x')).rejects.toThrow(/There is no such file|This is a folder/)
    expect(namesIn(uuid)).toEqual([])
  })

  test('is read back, linked, made a folder, or touched once it was read', async () => {
    const { uuid } = await register()
    const folder = asked(await folderOf(uuid))
    await folder.put('list.csv', 'Room,Guest\n201,Ada Hart')
    await expect(folder.read('list.csv')).rejects.toThrow('Files can only be sent here')
    await expect(folder.open('list.csv', 'r+')).rejects.toThrow('Files can only be sent here')
    await expect(folder.open('list.csv', 'a')).rejects.toThrow('Send the whole file again')
    await expect(folder.mkdir('more')).rejects.toThrow('There are no other folders here')
    await expect(folder.symlink('/etc/passwd', 'passwd')).rejects.toThrow('There are no links here')
    await expect(folder.readlink('list.csv')).rejects.toThrow('There are no links here')
    await expect(folder.unlink('done/x.csv')).rejects.toThrow('Files that were read cannot be changed')
    await expect(folder.put('done', '')).rejects.toThrow('This is a folder')
    await expect(folder.rename('list.csv', '../list.csv')).rejects.toThrow('There is no such file')
    expect(namesIn(uuid)).toEqual(['list.csv'])
  })

  test('a link that somebody else put there is not followed', async () => {
    const { uuid } = await register()
    fs.mkdirSync(inboxOf(uuid), { recursive: true })
    const outside = path.join(foyer.data_dir, 'outside')
    fs.writeFileSync(outside, 'kept')
    fs.symlinkSync(outside, path.join(inboxOf(uuid), 'link.csv'))
    const folder = asked(await folderOf(uuid))
    await folder.put('link.csv', 'sent')
    expect(fs.readFileSync(outside, 'utf8')).toBe('kept')
    expect(fs.readFileSync(path.join(inboxOf(uuid), 'link.csv'), 'utf8')).toBe('sent')
  })

  test('no shell, command, terminal, forwarding or other subsystem', async () => {
    const { uuid } = await register()
    const client = await connect(uuid)
    const refused = (ask: (done: (error: Error | undefined, channel: ClientChannel) => void) => unknown) =>
      new Promise((resolve) => {
        ask((error) => resolve(error?.message ?? 'agreed'))
      })
    expect(await refused((done) => client.shell(false, done))).not.toBe('agreed')
    const other = await connect(uuid)
    expect(await refused((done) => other.exec('id', done))).not.toBe('agreed')
    expect(await refused((done) => other.subsys('netconf', done))).not.toBe('agreed')
    expect(await refused((done) => client.forwardOut('127.0.0.1', 1, '127.0.0.1', 5432, done))).not.toBe('agreed')
    expect(await refused((done) => client.forwardIn('127.0.0.1', 0, done as never))).not.toBe('agreed')
  })
})

describe('who', () => {
  test('has another key, no interface, a disabled one, one of another kind or none of ours is not let in', async () => {
    const one = await register()
    const keyless = await register({ settings: { grace_minutes: 0 } })
    const disabled = await register()
    await foyer.get(interfaces.deactivate, { id: disabled.id }, editor)
    const webhook = await register({
      property_interface_type_id: 5,
      settings: { signing_secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
    })
    const nobody = '00000000-0000-4000-8000-000000000000'
    const refusal = async (username: string, key?: string) =>
      (await connect(username, key).catch((error: Error) => error)) as Error
    for (const uuid of [keyless.uuid, disabled.uuid, webhook.uuid, nobody, 'root', '', '../x'])
      expect((await refusal(uuid)).message, uuid).toBe('All configured authentication methods failed')
    expect((await refusal(one.uuid, strangers.private)).message).toBe('All configured authentication methods failed')
  })

  test('uses a password is not let in', async () => {
    const { uuid } = await register()
    const client = new ssh2.Client()
    const message = await new Promise((resolve) => {
      client
        .on('ready', () => resolve('in'))
        .on('error', (error) => resolve(error.message))
        .connect({ host: '127.0.0.1', port, username: uuid, password: 'x' })
    })
    expect(message).toBe('All configured authentication methods failed')
  })

  test('has one customer’s key sees that one’s folder alone, and is not let into another customer’s', async () => {
    const [one, other] = [await register(), await register()]
    await asked(await folderOf(one.uuid)).put('one.csv', '')
    expect(await asked(await folderOf(other.uuid)).names()).toEqual(['done', 'failed'])
    const neighbour = await foyer.customer()
    const { id: owner_id } = await foyer.property(neighbour)
    const its = await foyer.propertyInterface(neighbour, {
      property_interface_type_id: 6,
      owner_type: 'Property',
      owner_id,
      settings: { public_key: strangers.public },
    })
    await asked(await folderOf(its.uuid, strangers.private)).put('its.csv', '')
    await expect(connect(its.uuid, keys.private)).rejects.toThrow('All configured authentication methods failed')
    await expect(connect(one.uuid, strangers.private)).rejects.toThrow('All configured authentication methods failed')
    expect([namesIn(one.uuid), namesIn(its.uuid)]).toEqual([['one.csv'], ['its.csv']])
  })

  test('keeps more connections open than four waits for nobody else', async () => {
    const [one, other] = [await register(), await register()]
    for (let at = 0; at < 4; at++) await connect(one.uuid)
    await expect(connect(one.uuid)).rejects.toThrow()
    await connect(other.uuid)
  })

  test('connects again and again is turned away for the rest of the minute', async () => {
    const { uuid } = await register()
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-28T12:00:30Z') })
    try {
      const outcomes: string[] = []
      for (let at = 0; at < 34; at++) {
        const client = await connect(uuid, strangers.private).catch((error: Error) => error)
        outcomes.push(client instanceof Error ? client.message : 'in')
      }
      expect(outcomes.slice(0, 30).every((message) => message.includes('authentication'))).toBe(true)
      expect(outcomes.slice(30).some((message) => message.includes('authentication'))).toBe(false)
    } finally {
      vi.useRealTimers()
    }
  })
})

test('what is not SSH harms nobody', async () => {
  const { uuid } = await register()
  const net = await import('node:net')
  for (const bytes of [
    Buffer.alloc(100_000, 0xff),
    Buffer.from('GET / HTTP/1.1\r\n\r\n'),
    Buffer.from('SSH-2.0-x\r\n\0\0\0\0'),
  ]) {
    const socket = net.connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(bytes)
    await new Promise((resolve) => setTimeout(resolve, 50))
    socket.destroy()
  }
  expect(await asked(await folderOf(uuid)).names()).toEqual(['done', 'failed'])
})

test('all nodes are known by one key, also after the next start', async () => {
  const keyOf = (at: number) =>
    new Promise<string>((resolve) => {
      const client = new ssh2.Client()
      client.on('error', () => {})
      client.connect({
        host: '127.0.0.1',
        port: at,
        username: 'x',
        hostVerifier: (key: Buffer) => {
          resolve(key.toString('base64'))
          return false
        },
      })
    })
  const other = await openSftp(foyer.services)
  try {
    expect(await keyOf(await other.listen('127.0.0.1', 0))).toBe(await keyOf(port))
  } finally {
    await other.close()
  }
})

test.each([
  ['nonsense', 'a key', 'This is not a public key. Paste the line of the file that ends in .pub: “ssh-ed25519 AAAA…”'],
  [
    'a private key',
    keys.private,
    'This is the private key, which nobody else may have. Make a new pair, and paste its .pub file',
  ],
  [
    'a weak one',
    ssh2.utils.generateKeyPairSync('rsa', { bits: 1024 }).public,
    'Keys of this kind are not accepted: make one with “ssh-keygen -t ed25519”',
  ],
])('%s is refused at its field', async (_, public_key, sentence) => {
  const { id } = await register()
  const { status, body } = await foyer.ask(
    interfaces.update,
    { id, settings: { public_key, grace_minutes: 0 } },
    editor,
  )
  expect([status, body]).toMatchObject([422, { errors: { 'settings.public_key': [sentence] } }])
})

test('paths lead to the folder, its shelves and what lies in them', () => {
  expect([sftpPlaceOf('/'), sftpPlaceOf('.'), sftpPlaceOf(''), sftpPlaceOf('/done/')]).toEqual([
    { folder: null },
    { folder: null },
    { folder: null },
    { folder: 'done' },
  ])
  expect([sftpPlaceOf('a.csv'), sftpPlaceOf('//./a.csv'), sftpPlaceOf('/failed/a.csv')]).toEqual([
    { name: 'a.csv', shelf: null },
    { name: 'a.csv', shelf: null },
    { name: 'a.csv', shelf: 'failed' },
  ])
})
