// Architecture: what ARCHITECTURE.md says of files that change with time.
import fs from 'node:fs'
import { expect, test } from 'vitest'

const migrations = 'server/db/migrations'

test('who adds a table to the search begins with the newest text of its function', () => {
  const [, named] = /newest is in `(\d{4})`/.exec(fs.readFileSync('ARCHITECTURE.md', 'utf8')) ?? []
  const writing = fs
    .readdirSync(migrations)
    .toSorted()
    .filter((file) => /function search_ids/.test(fs.readFileSync(`${migrations}/${file}`, 'utf8')))
  expect(writing.at(-1)?.slice(0, 4)).toBe(named)
})
