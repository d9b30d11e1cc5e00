// Safe fetch: tricks to reach addresses that are not public, against real listeners on this machine, none of which is ever reached.
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callerOfJob } from '#server/access/principal.ts'
import { openTenancy, type Tenancy } from '#server/access/tenancy.ts'
import { NotReached, openSafeFetch } from '#server/outbound/safe-fetch.ts'
import { freshDatabase, type TestDatabase } from '#test/database.ts'

/** Requests that any of the listeners received. */
const received: { url: string; headers: http.IncomingHttpHeaders; method: string; body: string }[] = []
let connections = 0
let answerWith: http.RequestListener = (_request, response) => response.end('secret')
const listeners: http.Server[] = []
let port: number

async function listen(host: string, at = 0): Promise<number> {
  const server = http.createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push({ url: request.url ?? '', headers: request.headers, method: request.method ?? '', body })
      answerWith(request, response)
    })
  })
  server.on('connection', () => connections++)
  server.listen(at, host)
  await once(server, 'listening')
  listeners.push(server)
  return (server.address() as AddressInfo).port
}

beforeAll(async () => {
  port = await listen('127.0.0.1')
  await listen('::1', port).catch(() => {
    // A machine without IPv6 has nothing to reach there.
  })
})
beforeEach(() => {
  received.length = 0
  connections = 0
  answerWith = (_request, response) => response.end('secret')
})
afterAll(async () => {
  for (const server of listeners) {
    server.closeAllConnections()
    server.close()
  }
})

const names: Record<string, string[]> = {
  'inside.example': ['127.0.0.1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'both.example': ['93.184.216.34', '127.0.0.1'],
  'both-turned.example': ['127.0.0.1', '93.184.216.34'],
  'private.example': ['10.1.2.3'],
  'metadata.example': ['169.254.169.254'],
  'six.example': ['::1'],
  'nat64.example': ['64:ff9b::7f00:1'],
  'nowhere.example': [],
  'odd.example': ['not an address'],
}
const resolve = async (hostname: string) => {
  const found = names[hostname]
  if (!found) throw new Error(`unknown name ${hostname}`)
  return found
}
const plain = openSafeFetch({ allowed_hosts: [], resolve })
/** With a name that the operator has allowed, so that a listener can be reached. */
const home = openSafeFetch({ allowed_hosts: ['inside.example', '127.0.0.2:1'], resolve })
const at = (path = '/') => `http://inside.example:${port}${path}`
/** @param why the message, because a connection that fails by itself is refused, too */
const refused = async (asked: Promise<unknown>, why: RegExp) => {
  const error: unknown = await asked.catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(NotReached)
  expect((error as NotReached).message).toMatch(why)
}
const no_public_address = /is not a public address, and is not in ALLOWED_HOSTS$/

/** Hosts that mean this machine or its surroundings, in every spelling. */
const hosts = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',

  '0x7f.0x0.0x0.0x1',
  '0',
  '0.0.0.0',
  '0.0.0.1',
  '127.0.0.1.',
  '１２７.０.０.１',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '127%2e0%2e0%2e1',

  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',

  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[::ffff:0:127.0.0.1]',

  '[fe80::1]',
  '[febf::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[2001:db8::1]',
  '[100::1]',
  '[5f00::1]',

  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '100.100.100.200',
  '169.254.169.254',

  '169.254.1.1',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '2852039166',
  '0xa9fea9fe',
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '168.63.129.16',
  '192.88.99.1',
  ...Object.keys(names),
]
const only_web = /^only http and https are allowed$/
const no_names = /^an address must not hold a name or password$/
const no_address = /^this is not a web address$/
/** Addresses that are not of the web, or disguise their host. */
const addresses: [address: string, why: RegExp][] = [
  ['ftp://inside.example/', only_web],
  ['file:///etc/passwd', only_web],
  ['gopher://127.0.0.1:70/_', only_web],
  ['data:text/plain,hello', only_web],
  ['javascript:alert(1)', only_web],
  ['unix:/var/run/docker.sock', only_web],
  ['ws://inside.example/', only_web],
  ['//127.0.0.1/', no_address],
  ['/etc/passwd', no_address],
  ['', no_address],
  ['http://', no_address],
  ['http:///', no_address],
  ['http://[::1', no_address],
  ['http://public.example@127.0.0.1/', no_names],
  ['http://127.0.0.1@inside.example/', no_names],
  ['http://name:password@inside.example/', no_names],
  [`http://inside.example/${'a'.repeat(3000)}`, no_address],
]

test('there are more than 60 tricks', () => {
  expect(new Set([...hosts, ...addresses.map(([address]) => address)]).size).toBeGreaterThan(60)
})
test.each(hosts)('http://%s is not reached', async (host) => {
  const why = host === 'nowhere.example' ? /^nowhere\.example has no address$/ : no_public_address
  await refused(plain(`http://${host}:${port}/`), why)
  expect({ connections, received }).toEqual({ connections: 0, received: [] })
})
test.each(addresses)('%s is refused', async (address, why) => {
  await refused(home(address), why)
  expect({ connections, received }).toEqual({ connections: 0, received: [] })
})

describe('a host that the operator has named', () => {
  test('is reached, and its neighbours are not', async () => {
    const { status, body } = await home(at('/a?b=c'), { headers: { authorization: 'Bearer x', host: 'other.example' } })
    expect([status, body.toString()]).toEqual([200, 'secret'])
    expect(received[0]).toMatchObject({
      url: '/a?b=c',
      headers: { host: `inside.example:${port}`, authorization: 'Bearer x' },
    })
    for (const host of ['127.0.0.1', 'private.example', '127.0.0.2'])
      await refused(home(`http://${host}:${port}/`), no_public_address)
  })
  test('is not reached where it means a metadata service', async () => {
    const named = openSafeFetch({ allowed_hosts: ['metadata.example', '169.254.169.254', '[fe80::1]'], resolve })
    for (const host of ['metadata.example', '169.254.169.254', '[fe80::1]'])
      await refused(named(`http://${host}/`), no_public_address)
  })
  test('is resolved once: later answers of the resolver do not count', async () => {
    const meanings = [['127.0.0.1'], ['10.9.9.9']]
    let asked = 0
    const turning = openSafeFetch({ allowed_hosts: ['turning.example'], resolve: async () => meanings[asked++] ?? [] })
    expect((await turning(`http://turning.example:${port}/`)).body.toString()).toBe('secret')
    expect(asked).toBe(1)
  })
})

describe('a redirect', () => {
  const redirectTo = (location: string, status = 302) => {
    answerWith = (request, response) => {
      if (request.url === '/end') return response.end('the end')
      response.writeHead(status, { location }).end()
    }
  }
  test.each([
    [() => `http://127.0.0.1:${port}/end`, no_public_address],
    [() => `http://[::1]:${port}/end`, no_public_address],
    [() => 'http://169.254.169.254/latest/meta-data/', no_public_address],
    [() => `http://private.example:${port}/end`, no_public_address],
    [() => 'file:///etc/passwd', /^only http and https are allowed$/],
    [() => `http://a:b@inside.example:${port}/end`, /^an address must not hold a name or password$/],
    [() => `//127.0.0.1:${port}/end`, no_public_address],
  ])('is checked again (%#)', async (location, why) => {
    redirectTo(location())
    await refused(home(at()), why)
    expect(received.map(({ url }) => url)).toEqual(['/'])
  })
  test('is followed if allowed, but not for ever', async () => {
    redirectTo('/end')
    expect((await home(at(), { method: 'POST', body: 'x' })).body.toString()).toBe('the end')
    expect(received.map(({ method, body }) => [method, body])).toEqual([
      ['POST', 'x'],
      ['GET', ''],
    ])
    redirectTo('/again')
    received.length = 0
    await refused(home(at()), /redirects too often$/)
    expect(received).toHaveLength(4)
  })
  test('to another origin carries neither secrets nor a body', async () => {
    const other = openSafeFetch({
      allowed_hosts: ['inside.example', 'other.example'],
      resolve: async () => ['127.0.0.1'],
    })
    redirectTo(`http://other.example:${port}/end`)
    const headers = { authorization: 'Bearer x', cookie: 'a=b', 'x-api-key': 'y', accept: 'text/plain' }
    await other(at(), { headers })
    expect(received[1]?.headers).toMatchObject({ accept: 'text/plain' })
    for (const name of ['authorization', 'cookie', 'x-api-key']) expect(received[1]?.headers).not.toHaveProperty(name)
    redirectTo(`http://other.example:${port}/end`, 307)
    await refused(other(at(), { method: 'POST', body: 'a secret' }), /redirects the request to another host$/)
  })
})

describe('an answer', () => {
  test('that does not come, or drips, is aborted in time', async () => {
    answerWith = () => {}
    await refused(home(at(), { timeout_ms: 150 }), /took too long$/)
    answerWith = (_request, response) => {
      const drip = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(drip))
    }
    await refused(home(at(), { timeout_ms: 300 }), /took too long$/)
    const slow = openSafeFetch({ allowed_hosts: [], resolve: () => new Promise(() => {}) })
    await refused(slow('http://slow.example/', { timeout_ms: 50 }), /took too long$/)
  })
  test('that is too large or compressed is not accepted', async () => {
    answerWith = (_request, response) => response.end(Buffer.alloc(200_000))
    await refused(home(at(), { answer_bytes_max: 100_000 }), /^the answer is too large$/)
    answerWith = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('packed')
    await refused(home(at()), /^the answer is compressed/)
  })
})

describe('the message of a failure', () => {
  test('names the host and no secret', async () => {
    const url = `http://private.example/path-secret?token=query-secret`
    const error: unknown = await plain(url, { headers: { authorization: 'header-secret' } }).catch(
      (caught: unknown) => caught,
    )
    const shown = `${String(error)} ${JSON.stringify(error)} ${(error as Error).stack ?? ''}`
    expect(shown).toContain('private.example')
    for (const secret of ['path-secret', 'query-secret', 'header-secret']) expect(shown).not.toContain(secret)
  })
})

describe('inside a transaction', () => {
  let database: TestDatabase
  let tenancy: Tenancy
  beforeAll(async () => {
    database = await freshDatabase()
    tenancy = openTenancy(database)
  })
  afterAll(async () => {
    await tenancy.close()
    await database.drop()
  })
  test('no call is made', async () => {
    const called = tenancy.enter(callerOfJob(1, 'test'), 'read', () => home(at()))
    await expect(called).rejects.toThrow('A transaction is open')
    expect(connections).toBe(0)
    expect((await home(at())).status).toBe(200)
  })
})
