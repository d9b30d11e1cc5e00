// FreeRADIUS words: nothing that is read from a packet is lost where FreeRADIUS stands in front.
import { expect, test } from 'vitest'
import { attribute } from '#server/radius-codec/dictionary.ts'
import { attributesIn, typesRead, writers } from '#server/radius/freeradius-words.ts'

test('each attribute that Foyer reads has its name at FreeRADIUS', () => {
  // Sent separately, answered by FreeRADIUS itself, and of requests that Foyer sends itself.
  const others = ['event_timestamp', 'proxy_state', 'error_cause']
  const unread = Object.entries(attribute).filter(([, type]) => !typesRead.has(type) && !(type in writers))
  expect(unread.map(([name]) => name).toSorted()).toEqual(others.toSorted())
})

test('a box that has an address for a name keeps it', () => {
  expect(attributesIn({ 'NAS-IP-Address': { type: 'ipaddr', value: ['10.1.2.3'] } })).toEqual([
    { type: attribute.nas_ip_address, value: Buffer.of(10, 1, 2, 3) },
  ])
})
