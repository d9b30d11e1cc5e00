// Undelivered kind: what each kind of message says can be done, with its record or without.
import { expect, test } from 'vitest'
import { messageKinds, type MessageKind } from '#contract/undelivered.ts'
import { keysOf } from '#contract/keys.ts'
import { remedyOf, type Undelivered } from './kind.ts'

const shown = (kind: MessageKind, changes: Partial<Undelivered> = {}) => {
  const row = { kind, about_id: 7, channel: 'mail', recipient: 'ada@example.com', recipient_name: null, ...changes }
  const { text, href, send } = remedyOf(row as Undelivered)
  return [text, href ?? '', ...(send ? ['can be sent'] : [])]
}

test('a message is sent again about its record, where there is one', () => {
  expect(shown('invitation')).toEqual(['Send it again, with a new link', expect.stringMatching(/7$/), 'can be sent'])
  expect(shown('voucher_codes')).toEqual(['Send it again', expect.stringMatching(/7$/), 'can be sent'])
  expect(shown('guest_sign_in')).toEqual(['Send it again', expect.stringMatching(/7$/), 'can be sent'])
  expect(shown('guest_sign_in', { channel: 'text' })).toEqual([
    'Send it from the account, by mail',
    expect.stringMatching(/7$/),
  ])
  expect(shown('report')).toEqual(['Send it again from the report', expect.stringMatching(/7/)])
  expect(shown('how_to_sign_in', { about_id: null })).toEqual([
    'Send it again from Help a guest',
    expect.stringContaining('ada'),
  ])
})

test.each(keysOf(messageKinds))('%s: without a record there is advice, and nothing to send', (kind) => {
  expect(shown(kind, { about_id: null })).toEqual([messageKinds[kind].remedy, expect.any(String)])
})
