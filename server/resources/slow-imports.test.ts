// Slow imports: on a machine that is so busy that each row takes a thousandth of a second, thousands come in all the same.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as imports from '#contract/imports.ts'
import { connect } from '#server/db/logins.ts'
import { openFoyer, type TestFoyer } from '#test/foyer.ts'
import { aFile } from '#test/uploads.ts'

let foyer: TestFoyer
// A fifth of the time that a statement has, and 2,500 rows of those 60,000 that a file may have.
beforeAll(async () => void (foyer = await openFoyer({ tenancy: { statement_timeout_ms: 2000 } })))
afterAll(() => foyer.close())

test('no statement of an import, or of its undo, takes as long as the file is', async () => {
  const editor = await foyer.customer()
  const property_id = (await foyer.property(editor)).id
  const admin = await connect(foyer.database.adminUrl)
  await admin.query(`
    create function take_time() returns trigger language plpgsql as $$ begin perform pg_sleep(0.001); return new; end $$;
    create trigger take_time before insert or update on accounts for each row execute function take_time()`)
  await admin.end()
  const names = Array.from({ length: 2500 }, (_, index) => `Guest ${index}`)
  const file = aFile('guests.csv', ['name', ...names].join('\n'))
  const made = await foyer.get(imports.accounts, { AccountImport: file, property_id }, editor)
  expect(made.data.created).toBe(2500)
  expect((await foyer.ask(imports.undo, { id: made.data.id ?? 0 }, editor)).status).toBe(200)
})
