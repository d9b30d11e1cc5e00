// Limits kept: the sentences about what gateways do not keep.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { desk } from '#catalogue/en/desk.ts'
import { help } from '#catalogue/en/help.ts'
import { unkept, whenOffThere, type LimitsKept } from './kept.ts'

const honours = { time: 'yes', speed: 'yes', data: 'yes', end: 'yes', change: 'yes', usage: 'yes' } as const
const at = (
  name: string,
  make: string,
  more: Partial<LimitsKept['honours']>,
  lasts_max_s: number | null = null,
): LimitsKept => ({
  property: { id: 1, name: 'The Lantern' },
  gateway: { id: 1, name },
  make,
  honours: { ...honours, ...more },
  lasts_max_s,
})
const day = { name: 'Day', session_time_hrs: 24, volume_gb: 5, speed_mbps: 20 }

test('what a package limits and a gateway does not keep is named', () => {
  const rows = [at('Lobby', 'Cisco Meraki', { speed: 'no', data: 'no' }), at('Aruba', 'Aruba', { speed: 'no' })]
  expect(unkept(rows, day)).toEqual([
    'The data and speed limits of “Day” are not enforced by Lobby (Cisco Meraki).',
    'The speed limit of “Day” is not enforced by Aruba.',
  ])
  expect(unkept([at('Trial', 'Trial', { data: 'next_sign_in' })], day)).toEqual([
    'The data limit of “Day” only applies at Trial from the next sign-in on.',
  ])
  expect(unkept(rows, { ...day, speed_mbps: 0, volume_gb: 0 })).toEqual([])
})

test('when a guest is off is named where it is not at once', () => {
  expect(whenOffThere([at('Lobby', 'Aruba', {})])).toBe('')
  expect(whenOffThere([at('Lobby', 'openNDS', { end: 'next_sign_in' }, 900)])).toBe(
    'Lobby (openNDS) cannot disconnect guests early: they stay online until their granted time is over, 15 minutes at most.',
  )
  const many = [1, 2, 3, 4, 5].map((n) => at(`Box ${n}`, 'openNDS', { end: 'next_sign_in' }))
  expect(whenOffThere(many)).toBe(
    'Box 1 (openNDS), Box 2 (openNDS), Box 3 (openNDS) and 2 others cannot disconnect guests early: they stay ' +
      'online until their granted time is over, which is all the time they have.',
  )
})

test('each question that says somebody is disconnected says when, too', () => {
  const files = fs
    .readdirSync('web', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
    .map((name) => ({ name, text: fs.readFileSync(path.join('web', name), 'utf8') }))
  const ends = /\b(is|are) disconnected\b/
  const keys = [desk, help].flatMap((area) =>
    Object.entries(area).flatMap(([key, said]) => (ends.test(said) ? [key] : [])),
  )
  const asking = files.filter(({ text }) => {
    const says = text.split('\n').some((line) => ends.test(line) && !/^\s*(\/\/|\/?\*)|notify/.test(line))
    return says || keys.some((key) => text.includes(`'${key}'`))
  })
  // What the server says of a fix is asked there.
  const asked = [...asking.map(({ name }) => name), 'resources/guest-help/fixes.tsx'].toSorted()
  expect(keys).toContain('fix.disconnect-means')
  expect(asked.length).toBeGreaterThan(4)
  expect(
    files.filter(({ name, text }) => asked.includes(name) && !/whenOff/i.test(text)).map(({ name }) => name),
  ).toEqual([])
})
