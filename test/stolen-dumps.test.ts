// Stolen dumps: whoever has all rows of the database reads no password or secret that was put into it.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import { connect } from '#server/db/logins.ts'
import { openFoyer, type TestFoyer } from '#test/foyer.ts'

let foyer: TestFoyer
beforeAll(async () => void (foyer = await openFoyer()))
afterAll(() => foyer.close())

/** As `pg_dump` writes them, and what is stored as bytes or in base64 besides. */
const formsOf = (word: string) => [
  word,
  Buffer.from(word).toString('hex'),
  // Wherever it begins in what was encoded.
  ...[0, 1, 2].map((before) =>
    Buffer.from(' '.repeat(before) + word)
      .toString('base64')
      .slice(before === 0 ? 0 : 4, -4),
  ),
]

async function dump(): Promise<string> {
  const admin = await connect(foyer.database.adminUrl)
  try {
    const { rows: tables } = await admin.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    )
    const dumped: string[] = []
    for (const { name } of tables)
      dumped.push(
        ...(await admin.query<{ row: string }>(`select t::text as row from ${name} as t`)).rows.map(({ row }) => row),
      )
    return dumped.join('\n')
  } finally {
    await admin.end()
  }
}

test('a dump of the database has none of forty planted secrets', async () => {
  const planted: string[] = []
  const plant = () => {
    const word = `planted${randomBytes(8).toString('hex')}`
    planted.push(word)
    return word
  }
  const editor = await foyer.customer()
  const { id: property_id } = await foyer.property(editor)
  const seen = `seen${randomBytes(8).toString('hex')}`
  for (let n = 0; n < 10; n++) {
    // With a key its answer is kept, which has the password.
    const account = { name: `${seen} ${n}`, username: `guest${n}`, property_id, password: plant() }
    const { status } = await foyer.ask(accounts.create, account, editor, { 'idempotency-key': `account ${n}` })
    expect(status).toBe(201)
    await foyer.voucherBatch(editor, { property_id, quantity: 1, password: plant() })
    await foyer.gateway(editor, { property_id, password: plant() })
  }
  for (let n = 0; n < 5; n++) await foyer.propertyInterface(editor, { username: plant(), password: plant() })
  expect(planted).toHaveLength(40)

  const stolen = await dump()
  // What is no secret is found: the rows are there.
  expect(stolen).toContain(seen)
  expect(planted.filter((word) => formsOf(word).some((form) => stolen.includes(form)))).toEqual([])
})
