// Mail templates: what somebody typed is text in a mail, and never an address that a reader could follow.
import { expect, test } from 'vitest'
import { guestSignIn, invitation, voucherCodes } from './mail-templates.ts'

const to = { id: 1, name: 'Win at www.casino-24.example now', email: 'ada@guest.example' }

test('no name becomes a link', () => {
  const link = 'https://foyer.example/customer/reset-password?token=x'
  const invited = invitation(to, { inviter: 'http://evil.example/x', owner: 'prize.example', link })
  expect(invited.subject).toBe('You are invited to prize. example on Foyer')
  expect(invited.text).toContain('Hello Win at www. casino-24. example now,')
  expect(invited.text).toContain('http: //evil. example/x has invited you')
  expect(invited.text).toContain(link)
  const place = 'casino.example'
  const signIn = guestSignIn(to, { place, username: 'j.vries', password: 'a.b', until: '31 Dec 2030, 12:00' })
  const codes = voucherCodes(to.email, {
    id: 1,
    place,
    batch_number: 'B-2026-000001',
    terms: 'Free at casino.example, 1.5 GB',
    password: null,
    shared: false,
    codes: ['AAAA-BBBB-CCCC'],
  })
  for (const { subject, text } of [signIn, codes]) expect(subject + text).not.toContain(place)
  // What a guest has to type is unchanged, and so are numbers.
  expect(signIn.text).toMatch(/User name: j\.vries\nPassword: {2}a\.b\n/)
  expect(codes.text).toContain('1.5 GB')
})

test('names with points in them stay readable', () => {
  for (const [name, written] of [
    ['J.R.R. Tolkien', 'J. R. R. Tolkien'],
    ['M.de Vries', 'M. de Vries'],
    ['St.Mary’s, Room 4.2', 'St. Mary’s, Room 4.2'],
    ['Müller & Co.', 'Müller & Co.'],
  ])
    expect(invitation({ ...to, name: name ?? '' }, { inviter: 'Ada', owner: 'Inn', link: '' }).text).toContain(
      `Hello ${written},`,
    )
})
