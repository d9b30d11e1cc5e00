// Packets: examples with known results, and malformed packets that must be rejected.
import { createHash, createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { matches } from '#server/access/guest-credentials.ts'
import { credentialsIn } from '#server/radius/credentials.ts'
import { attribute, code } from '#server/radius-codec/dictionary.ts'
import {
  answerTo,
  gigawordsOf,
  isAnswerTo,
  isSignedAccounting,
  numberAttribute,
  readPacket,
  requestOf,
  signatureOf,
} from '#server/radius-codec/packet.ts'
import { textAttribute, textOfAttribute, valueOf, type Attribute, type Packet } from '#server/radius-codec/packet.ts'

const secret = 'xyzzy5461'

const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex')
/** The first example of RFC 2865: nemo, with the password arctangent. */
const nemo = hex(
  `01000038 0f403f9473978057bd83d5cb98f4227a 01066e656d6f 02120dbe708d93d413ce3196e43f782a0aee
  0406c0a80110 050600000003`,
)
/** Its second one: flopsy, by CHAP. */
const flopsy = hex(
  `01010047 2aee86f08d0d55969ca5978e0d3367a2 0108666c6f707379 031316e97557c316185895f293ff6344077275
  0406c0a80110 050600000014 060600000002 070600000001`,
)

const read = (bytes: Buffer): Packet => {
  const packet = readPacket(bytes)
  if (packet === null) throw new Error('no packet')
  return packet
}

test('the examples of RFC 2865 are read, PAP and CHAP', () => {
  const packet = read(nemo)
  expect(packet).toMatchObject({ code: code.access_request, id: 0 })
  expect(textOfAttribute(packet, attribute.user_name)).toBe('nemo')
  expect(credentialsIn(packet, secret)).toEqual({ kind: 'password', password: 'arctangent' })
  expect(signatureOf(packet, secret)).toBe('missing')

  const chap = credentialsIn(read(flopsy), secret)
  expect(chap && matches(chap, 'arctangent')).toBe(true)
  expect(chap && matches(chap, 'arctangent.')).toBe(false)
})

test('the answer of RFC 2865 comes out byte by byte', () => {
  const attributes: Attribute[] = [
    numberAttribute(6, 1),
    numberAttribute(15, 0),
    { type: 14, value: Buffer.from([192, 168, 1, 3]) },
  ]
  const answer = answerTo(read(nemo), { code: code.access_accept, attributes, isSigned: false }, secret)
  expect(answer).toEqual(hex('02000026 86fe220e7624ba2a1005f6bf9b55e0b2 060600000001 0f0600000000 0e06c0a80103'))
})

test('a MikroTik’s CHAP is proof of the password', () => {
  const challenge = Buffer.from('f90a407f03802d6122c108609b36b80f', 'hex')
  const response = Buffer.from('1b2831182886b1c6acf301a2b55ce1c0', 'hex')
  expect(matches({ kind: 'chap', id: 1, challenge, response }, 'secret')).toBe(true)
})

test('5 GB and 10 GB are split into octets and gigawords', () => {
  expect(gigawordsOf(5e9)).toEqual({ low: 705_032_704, gigawords: 1 })
  expect(gigawordsOf(10e9)).toEqual({ low: 1_410_065_408, gigawords: 2 })
})

test('Message-Authenticator comes first in answers, Proxy-State last and in its order', () => {
  const proxy_states: Attribute[] = [
    { type: attribute.proxy_state, value: Buffer.from('one') },
    { type: attribute.proxy_state, value: Buffer.from('two') },
  ]
  const request = read(
    requestOf(code.access_request, 7, [textAttribute(attribute.user_name, 'bob'), ...proxy_states], secret) as Buffer,
  )
  const bytes = answerTo(
    request,
    { code: code.access_reject, attributes: [textAttribute(attribute.reply_message, 'No')] },
    secret,
  )
  const answer = read(bytes as Buffer)
  expect(answer.attributes.map(({ type }) => type)).toEqual([80, 18, 33, 33])
  expect(answer.attributes.slice(2)).toEqual(proxy_states)
  const unsigned = Buffer.from(answer.bytes)
  request.authenticator.copy(unsigned, 4)
  unsigned.fill(0, 22, 38)
  expect(createHmac('md5', secret).update(unsigned).digest()).toEqual(valueOf(answer, 80))
  const whole = Buffer.concat([
    answer.bytes.subarray(0, 4),
    request.authenticator,
    answer.bytes.subarray(20),
    Buffer.from(secret),
  ])
  expect(createHash('md5').update(whole).digest()).toEqual(answer.authenticator)
})

test('packets changed without the secret are detected', () => {
  const request = requestOf(code.disconnect_request, 9, [textAttribute(attribute.user_name, 'bob')], secret) as Buffer
  // Its authenticator is computed like that of accounting.
  expect(isSignedAccounting(read(request), secret)).toBe(true)
  expect(isSignedAccounting(read(request), `${secret}.`)).toBe(false)
  const answer = answerTo(read(request), { code: code.disconnect_ack, attributes: [] }, secret) as Buffer
  expect(isAnswerTo(read(answer), request, secret)).toBe(true)
  for (const at of [0, 1, 5, 21]) {
    const touched = Buffer.from(answer)
    touched.writeUInt8(touched.readUInt8(at) ^ 1, at)
    const packet = readPacket(touched)
    expect(packet !== null && isAnswerTo(packet, request, secret)).toBe(false)
  }
})

test('malformed packets are rejected', () => {
  for (const wrong of ['', '01', '0100001300', '01000013' + '00'.repeat(16), '01000015' + '00'.repeat(16) + '01'])
    expect(readPacket(Buffer.from(wrong, 'hex'))).toBeNull()
  expect(readPacket(Buffer.concat([nemo.subarray(0, 2), Buffer.from([0x10, 0x01]), nemo.subarray(4)]))).toBeNull()
  expect(readPacket(Buffer.concat([Buffer.from([1, 0, 0x20, 0]), Buffer.alloc(8188)]))).toBeNull()
  // Bytes after its own length are ignored.
  expect(readPacket(Buffer.concat([nemo, Buffer.from('behind')]))?.bytes).toEqual(nemo)
  expect(readPacket(Buffer.concat([Buffer.from([1, 0, 4, 0x14]), Buffer.alloc(16), Buffer.alloc(1024, 2)]))).toBeNull()
})

test('a text that is too long for an attribute is cut between characters', () => {
  const { value } = textAttribute(attribute.reply_message, 'é'.repeat(200))
  expect(value.length).toBe(252)
  expect(value.toString()).toBe('é'.repeat(126))
})
