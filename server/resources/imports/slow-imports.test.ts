// Slow imports: on a busy machine each row may take milliseconds, and a statement has ten seconds, so no statement of an import may
// grow with the file.
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as imports from '#contract/imports.ts'
import { connect } from '#server/db/logins.ts'
import { openFoyer, type TestFoyer } from '#test/foyer.ts'
import { aFile } from '#test/uploads.ts'

let foyer: TestFoyer
let admin: Client
beforeAll(async () => {
  foyer = await openFoyer()
  admin = await connect(foyer.database.adminUrl)
  // Counts the rows of each statement that writes accounts.
  await admin.query(`
    create table written (rows integer not null);
    create function note_written() returns trigger language plpgsql security definer as $$
      begin insert into public.written select count(*) from touched; return null; end $$;
    create trigger note_inserted after insert on accounts referencing new table as touched
      for each statement execute function note_written();
    create trigger note_updated after update on accounts referencing new table as touched
      for each statement execute function note_written()`)
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
})

async function writtenSince() {
  const { rows } = await admin.query<{ most: number; sum: number }>(
    'with gone as (delete from written returning rows) select max(rows) as most, sum(rows)::integer as sum from gone',
  )
  return rows[0]
}

test('no statement of an import, or of its undo, writes as many rows as the file has', async () => {
  const editor = await foyer.customer()
  const property_id = (await foyer.property(editor)).id
  const names = Array.from({ length: 2500 }, (_, index) => `Guest ${index}`)
  const file = aFile('guests.csv', ['name', ...names].join('\n'))
  const made = await foyer.get(imports.accounts, { AccountImport: file, property_id }, editor)
  expect(made.data.created).toBe(2500)
  expect(await writtenSince()).toEqual({ most: 500, sum: 2500 })
  expect((await foyer.ask(imports.undo, { id: made.data.id ?? 0 }, editor)).status).toBe(200)
  expect(await writtenSince()).toEqual({ most: 500, sum: 2500 })
})
