// Restore swap: wherever the exchange of databases is interrupted, the next start completes it, and nothing is lost.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { commitRestore, finishRestore } from '#server/db/restore-swap.ts'

const homes: string[] = []
afterEach(() => {
  vi.restoreAllMocks()
  for (const home of homes.splice(0)) fs.rmSync(home, { recursive: true })
})

/** A data directory with an old database in it, and a new one next to it. */
function staged(): { home: string; aside: string } {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-restored-'))
  homes.push(home)
  const aside = path.join(home, 'restoring-x')
  for (const [folder, state] of [
    [home, 'old'],
    [aside, 'new'],
  ] as const) {
    fs.mkdirSync(path.join(folder, 'pg18'), { recursive: true })
    for (const file of ['pg18/PG_VERSION', 'pg18.password', 'secret-key'])
      fs.writeFileSync(path.join(folder, file), state)
  }
  for (const file of ['log-place', 'log-place.new', 'log-place.reached']) fs.writeFileSync(path.join(home, file), 'old')
  fs.mkdirSync(path.join(home, 'log-waiting'))
  fs.writeFileSync(path.join(home, 'log-waiting', '000000010000000000000007'), 'old')
  return { home, aside }
}
const stateOf = (folder: string) =>
  ['pg18/PG_VERSION', 'pg18.password', 'secret-key']
    .map((file) => fs.readFileSync(path.join(folder, file), 'utf8'))
    .join(' ')

const logOf = (folder: string) =>
  ['log-place', 'log-place.new', 'log-place.reached', 'log-waiting/000000010000000000000007'].filter((file) =>
    fs.existsSync(path.join(folder, file)),
  )

test('before the decision the old database stays, and where its log is archived', () => {
  const { home } = staged()
  expect(finishRestore(home)).toBeNull()
  expect(stateOf(home)).toBe('old old old')
  expect(logOf(home)).toHaveLength(4)
})

test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
  'interrupted after %i of its steps, it is completed by the next start',
  (steps) => {
    const { home, aside } = staged()
    commitRestore(aside, home)
    const rename = fs.renameSync
    let done = 0
    vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      if (done++ >= steps) throw new Error('the power is off')
      rename(from, to)
    })
    expect(() => finishRestore(home)).toThrow('the power is off')
    vi.restoreAllMocks()
    const kept = finishRestore(home)
    expect(stateOf(home)).toBe('new new new')
    expect(kept && stateOf(kept)).toBe('old old old')
    expect(logOf(kept ?? '')).toHaveLength(4)
    expect(fs.readdirSync(home).toSorted()).toEqual([path.basename(kept ?? ''), 'pg18', 'pg18.password', 'secret-key'])
  },
)

test('without an old database nothing is kept', () => {
  const { home, aside } = staged()
  const log = ['log-place', 'log-place.new', 'log-place.reached', 'log-waiting']
  for (const part of ['pg18', 'pg18.password', 'secret-key', ...log])
    fs.rmSync(path.join(home, part), { recursive: true })
  commitRestore(aside, home)
  expect(finishRestore(home)).toBeNull()
  expect(stateOf(home)).toBe('new new new')
})
