// MAC address: every notation that people copy from a sticker, a router or a settings page becomes the same address.
import { expect, test } from 'vitest'
import { isRandomised, leadingMacIn, macAddress } from './mac-address.ts'

const parsed = (typed: string) => macAddress.safeParse(typed).data

test('any usual notation is the same address', () => {
  for (const typed of [
    'a4:83:e7:0b:c1:d2',
    'A4-83-E7-0B-C1-D2',
    'a483.e70b.c1d2',
    'A483E70BC1D2',
    'a483e7-0bc1d2',
    ' A4 83 E7 0B C1 D2 ',
    'A4‑83–E7—0B-C1-D2',
  ])
    expect(parsed(typed)).toBe('a4:83:e7:0b:c1:d2')
})

test.each([
  ['DC0856399ADA:Splash', 'dc:08:56:39:9a:da'],
  ['94B2-718A-C2AE:huawei', '94:b2:71:8a:c2:ae'],
  ['94B271-8AC2AE', '94:b2:71:8a:c2:ae'],
  ['d015a6400d2f', 'd0:15:a6:40:0d:2f'],
  ['00-fd-22-58-b1-c5:Captive', '00:fd:22:58:b1:c5'],
  ['5C:06:10:BB:3A:EB:5', '5c:06:10:bb:3a:eb'],
  ['0200.5ea0.05a0 Lobby', '02:00:5e:a0:05:a0'],
  ['6f3a9c12-1b2c-4d5e-8f00-112233445566', null],
  ['DC0856399ADA5b', null],
  ['deadbeef-1234', null],
  ['CaptivePortal-guests', null],
  ['ff:ff:ff:ff:ff:ff', null],
  ['', null],
])('%s begins with the address %s', (text, mac_address) => {
  expect(leadingMacIn(text)).toBe(mac_address)
})

test('what is not the address of a single device is refused with the reason', () => {
  const messageOf = (typed: string) => macAddress.safeParse(typed).error?.issues[0]?.message
  for (const typed of ['a4:83:e7:0b:c1', 'a4:83:e7:0b:c1:d2:e3', 'g4:83:e7:0b:c1:d2', 'TV 204', '192.0.2.1'])
    expect(messageOf(typed)).toBe('Please write the MAC address as 00:00:5e:00:53:01')
  for (const typed of ['ff:ff:ff:ff:ff:ff', '01:00:5e:00:00:fb', '00:00:00:00:00:00'])
    expect(messageOf(typed)).toBe('This address belongs to no single device')
  expect(messageOf('')).toBe('This field is required')
})

test('a randomised address is recognised by its second digit', () => {
  for (const digit of '26ae') expect(isRandomised(`d${digit}:83:e7:0b:c1:d2`)).toBe(true)
  for (const digit of '048c') expect(isRandomised(`d${digit}:83:e7:0b:c1:d2`)).toBe(false)
})
