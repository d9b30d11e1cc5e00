// Account imports under test: sends a list of guests, and reads the outcome.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import * as accounts from '#contract/accounts.ts'
import * as imports from '#contract/imports.ts'
import type { Reply } from '#contract/endpoint.ts'
import { connect } from '#server/db/logins.ts'
import type { Asker, Person, TestFoyer } from '#test/foyer.ts'
import { aFile, type TestFile } from '#test/uploads.ts'

export const fixture = (name: string) => aFile(name, readFileSync(path.join(import.meta.dirname, 'fixtures', name)))
export const csv = (text: string) => aFile('guests.csv', text)

/** A property where dates are written as in London. */
const britain = 234

/** `under` returns the Foyer that is open when a test runs, and an editor of one of its customers. */
export function accountImports(under: () => { foyer: TestFoyer; editor: Person }) {
  const send = (file: TestFile | TestFile[], more: object = {}, who: Asker = under().editor, headers = {}) =>
    under().foyer.ask(imports.accounts, { AccountImport: file, ...more } as never, who, headers)
  /** The accounts of a property in full, by name. */
  async function stored(property_id: number) {
    const { foyer, editor } = under()
    const { data: rows } = await foyer.get(
      accounts.list,
      { params: { property_id }, sort: 'name', per_page: 200 },
      editor,
    )
    return Promise.all(rows.map(async ({ id }) => (await foyer.get(accounts.get, { id }, editor)).data))
  }
  return {
    send,
    stored,
    async inDatabase(sql: string, values: unknown[]): Promise<object[]> {
      const database = await connect(under().foyer.database.adminUrl)
      try {
        return (await database.query<object>(sql, values)).rows
      } finally {
        await database.end()
      }
    },
    async bring(
      file: TestFile,
      more: object = {},
      who: Asker = under().editor,
    ): Promise<Reply<typeof imports.accounts>['data']> {
      const answer = await send(file, more, who)
      if (answer.status !== 200) throw new Error(answer.text)
      return answer.body.data
    },
    namesIn: async (property_id: number) => (await stored(property_id)).map((account) => account.name),
    async aProperty(values = {}) {
      const { foyer, editor } = under()
      return (await foyer.property(editor, { country_id: britain, ...values })).id
    },
  }
}
