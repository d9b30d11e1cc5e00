// FreeRADIUS words: converts attributes from and to the names and JSON format of FreeRADIUS (its module `rest`).
import { isUtf8 } from 'node:buffer'
import { z } from 'zod'
import type { RadiusDialect } from '#server/gateways/kind.ts'
import { attribute, microsoft, terminate_causes } from '#server/radius-codec/dictionary.ts'
import { bytesOf, bytesOfPrefix } from '#server/radius-codec/ipv6.ts'
import { numberAttribute, type Attribute } from '#server/radius-codec/packet.ts'
import { cisco_pair, ofVendor, vendorText, wispr, type VendorAttribute } from '#server/radius-codec/vendor.ts'

/** What FreeRADIUS sends: each attribute of the packet by its name, with all its values. */
export const FreeradiusPacket = z.record(
  z.string(),
  z.object({ type: z.string(), value: z.array(z.union([z.string(), z.number()])) }),
)
type Value = string | number

/** It writes each byte of a text that is not ASCII as a character of its own: `é` as `Ã©`. */
function text(value: Value): Buffer {
  const each_byte = Buffer.from(String(value), 'latin1')
  const isWritten = each_byte.toString('latin1') === String(value) && isUtf8(each_byte)
  return isWritten ? each_byte : Buffer.from(String(value))
}
/** Bytes are written as `0x…`. */
const msChap = (type: number) => (value: Value) => ofVendor(microsoft.vendor, { type, value: bytes(value) }).value
const bytes = (value: Value) => Buffer.from(String(value).replace(/^0x/i, ''), 'hex')
const whole = (value: Value) =>
  Number.isInteger(Number(value)) ? numberAttribute(0, Number(value)).value : Buffer.alloc(0)
const address = (value: Value) => Buffer.from(String(value).split('.').map(Number))
const ipv6 = (value: Value) => bytesOf(String(value))
const prefix = (value: Value) => bytesOfPrefix(String(value))
/** Numbers that have a name are written by it. */
const named = (names: Record<string, number>) => (value: Value) => whole(names[value] ?? value)

const statuses = { Start: 1, Stop: 2, 'Interim-Update': 3, Alive: 3, 'Accounting-On': 7, 'Accounting-Off': 8 }
const causes = {
  ...Object.fromEntries(terminate_causes.map((name, index) => [name, index + 1])),
  'Port-Reinit': 21,
  'Port-Disabled': 22,
}

/** The attributes that are read. Event-Timestamp is sent separately, since FreeRADIUS writes dates in its own zone. */
const readers: Record<string, [type: number, read: (value: Value) => Buffer]> = {
  'User-Name': [attribute.user_name, text],
  'User-Password': [attribute.user_password, text],
  'CHAP-Password': [attribute.chap_password, bytes],
  'EAP-Message': [attribute.eap_message, bytes],
  'MS-CHAP-Response': [attribute.vendor_specific, msChap(microsoft.chap_response)],
  'MS-CHAP2-Response': [attribute.vendor_specific, msChap(microsoft.chap2_response)],
  'MS-CHAP-Challenge': [attribute.vendor_specific, msChap(microsoft.chap_challenge)],
  'CHAP-Challenge': [attribute.chap_challenge, bytes],
  'Framed-IP-Address': [attribute.framed_ip_address, address],
  'Framed-IPv6-Address': [attribute.framed_ipv6_address, ipv6],
  'Framed-IPv6-Prefix': [attribute.framed_ipv6_prefix, prefix],
  'Delegated-IPv6-Prefix': [attribute.delegated_ipv6_prefix, prefix],
  Class: [attribute.class, bytes],
  'Called-Station-Id': [attribute.called_station_id, text],
  'Calling-Station-Id': [attribute.calling_station_id, text],
  'NAS-Identifier': [attribute.nas_identifier, text],
  'NAS-IP-Address': [attribute.nas_ip_address, address],
  'Service-Type': [attribute.service_type, named({ 'Call-Check': 10 })],
  'Cisco-AVPair': [attribute.vendor_specific, (value) => vendorText(cisco_pair, String(text(value))).value],
  'Acct-Status-Type': [attribute.acct_status_type, named(statuses)],
  'Acct-Delay-Time': [attribute.acct_delay_time, whole],
  'Acct-Input-Octets': [attribute.acct_input_octets, whole],
  'Acct-Output-Octets': [attribute.acct_output_octets, whole],
  'Acct-Input-Gigawords': [attribute.acct_input_gigawords, whole],
  'Acct-Output-Gigawords': [attribute.acct_output_gigawords, whole],
  'Acct-Session-Id': [attribute.acct_session_id, text],
  'Acct-Session-Time': [attribute.acct_session_time, whole],
  'Acct-Terminate-Cause': [attribute.acct_terminate_cause, named(causes)],
  'Message-Authenticator': [attribute.message_authenticator, bytes],
}

export const typesRead = new Set(Object.values(readers).map(([type]) => type))

export function attributesIn(packet: z.output<typeof FreeradiusPacket>): Attribute[] {
  return Object.entries(packet).flatMap(([name, { value: values }]) => {
    const [type, read] = readers[name] ?? []
    return type === undefined || read === undefined ? [] : values.map((value) => ({ type, value: read(value) }))
  })
}

const showText = (value: Buffer) => value.toString()
const showBytes = (value: Buffer) => `0x${value.toString('hex')}`
const showNumber = (value: Buffer) => value.readUInt32BE(0)

/** The attributes of answers. Those of vendors are in the dialects of the makes. */
export const writers: Record<number, [name: string, show: (value: Buffer) => Value]> = {
  [attribute.reply_message]: ['Reply-Message', showText],
  [attribute.eap_message]: ['EAP-Message', showBytes],
  [attribute.filter_id]: ['Filter-Id', showText],
  [attribute.class]: ['Class', showBytes],
  [attribute.session_timeout]: ['Session-Timeout', showNumber],
  [attribute.idle_timeout]: ['Idle-Timeout', showNumber],
  [attribute.acct_interim_interval]: ['Acct-Interim-Interval', showNumber],
}

/** The attributes of an answer. A percent sign in a text means itself. */
export function replyOf(attributes: Attribute[], { dictionary }: Pick<RadiusDialect, 'dictionary'>) {
  const ofVendors = [...Object.values(dictionary), ...Object.values(wispr)]
  const named = attributes.map(({ type, value }) =>
    type === attribute.vendor_specific ? writtenOfVendor(ofVendors, value) : written(type, value),
  )
  const byName = Map.groupBy(named, ([name]) => name)
  return Object.fromEntries(
    [...byName].map(([name, all]) => {
      const [value, ...others] = all.map(([, shown]) => shown)
      return [`reply:${name}`, { value: others.length === 0 ? value : [value, ...others], op: ':=', do_xlat: false }]
    }),
  )
}

function written(type: number, value: Buffer): [name: string, shown: Value] {
  const [name, show] = writers[type] ?? []
  if (name === undefined || show === undefined) throw new Error(`attribute ${type} has no name for FreeRADIUS`)
  return [name, show(value)]
}

/** A vendor-specific attribute is in an envelope: the vendor, the number, the length. */
function writtenOfVendor(known: readonly VendorAttribute[], envelope: Buffer): [name: string, shown: Value] {
  const [vendor, type, value] = [envelope.readUInt32BE(0), envelope.readUInt8(4), envelope.subarray(6)]
  const found = known.find((one) => one.vendor === vendor && one.type === type)
  if (!found) throw new Error(`attribute ${vendor}.${type} has no name for FreeRADIUS`)
  return [found.name, found.holds === 'number' ? showNumber(value) : showText(value)]
}
