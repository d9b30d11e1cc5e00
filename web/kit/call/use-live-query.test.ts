// Live queries: what a timer asks for is no use of a session, wherever it is asked.
import fs from 'node:fs'
import { expect, test } from 'vitest'

test('what is asked again by a timer says that nobody has asked', () => {
  const sources = fs
    .readdirSync('web', { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
  const timed = sources.filter((file) => fs.readFileSync(`web/${file}`, 'utf8').includes('refetchInterval'))
  expect(timed.length).toBeGreaterThan(0)
  expect(timed.filter((file) => !fs.readFileSync(`web/${file}`, 'utf8').includes('background: true'))).toEqual([])
})
