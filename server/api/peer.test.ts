// Peer: whatever a proxy writes in X-Forwarded-For, the request is answered, and counts for the nearest address that can be read.
import { fastify } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPeer } from '#server/api/peer.ts'

const app = fastify({ trustProxy: ['127.0.0.1', '10.0.0.0/8'] })
readPeer(app)
app.get('/', (request, reply) => reply.send(request.ip))
beforeAll(() => app.ready().then(() => undefined))
afterAll(() => app.close())

const proxy = '127.0.0.1'
test.each([
  ['203.0.113.9:51234', '203.0.113.9'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['203.0.113.9, 10.0.0.2:8080', '203.0.113.9'],
  ['198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['unknown', proxy],
  ['203.0.113.9, unknown', proxy],
  ['203.0.113.9, _secret, 10.0.0.2', '10.0.0.2'],
  ['', proxy],
  ['%s, ,', proxy],
])('forwarded for %s it is %s', async (forwarded, ip) => {
  const answer = await app.inject({ url: '/', headers: { 'x-forwarded-for': forwarded } })
  expect([answer.statusCode, answer.body]).toEqual([200, ip])
})

test('whoever is no trusted proxy speaks for nobody, and a socket that maps IPv4 into IPv6 is read as IPv4', async () => {
  const ask = (remoteAddress: string) =>
    app.inject({ url: '/', remoteAddress, headers: { 'x-forwarded-for': '203.0.113.9' } })
  expect((await ask('198.51.100.7')).body).toBe('198.51.100.7')
  expect((await ask('::ffff:198.51.100.7')).body).toBe('198.51.100.7')
  expect((await ask('::ffff:127.0.0.1')).body).toBe('203.0.113.9')
})
