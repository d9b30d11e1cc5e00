// Sealed fields: they are stored sealed where the entity says, stay when they are left out, and are logged without their values.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import * as activity from '#contract/activity.ts'
import { callerOfJob } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { entity } from '#server/entities/entity.ts'
import { writeSealedOfMany, openSealed, type Sealed } from '#server/entities/sealed.ts'
import { createRow, updateRow } from '#server/entities/verbs.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

const asCustomer = <R>(work: (scope: Scope) => Promise<R>) =>
  foyer.services.tenancy.enter(callerOfJob(editor.user.customer.id, 'test'), 'write', work)

const shape = z.object({ id: z.number(), name: z.string() })
const secretsOf = (): Sealed<'password'> => ({
  by: foyer.services.seal,
  fields: { password: 'account_passwords.sealed_password' },
})
const guestsOf = () => entity({ table: 'accounts', row: shape, detail: shape, sealed: secretsOf() })

/** Checked by the compiler alone. */
export const misdeclared = () => [
  // @ts-expect-error a column that is not a sealed one
  { name: 'accounts.name' } satisfies Sealed['fields'],
  // @ts-expect-error a field that is not declared
  asCustomer((scope) => createRow(scope, guestsOf(), { name: 'Ada', pin: '1234' })),
]

const passwordOf = (id: number) => asCustomer((scope) => openSealed(scope, secretsOf(), 'password', id))
const rowsKept = async () => (await asCustomer((scope) => scope.lock('account_passwords', sql<boolean>`true`))).length

test('a sealed field is stored with the record, stays when it is left out, and leaves no row when it is cleared', async () => {
  const property_id = (await foyer.property(editor)).id
  const { id, ...made } = await asCustomer((scope) =>
    createRow(scope, guestsOf(), { name: 'Ada', property_id, password: 'quiet-harbour' }),
  )
  expect(made).toEqual({ name: 'Ada' })
  expect(await passwordOf(id)).toBe('quiet-harbour')
  await asCustomer((scope) => updateRow(scope, guestsOf(), { id, name: 'Ida' }))
  expect(await passwordOf(id)).toBe('quiet-harbour')
  await asCustomer((scope) => updateRow(scope, guestsOf(), { id, password: 'calm-harbour' }))
  expect(await passwordOf(id)).toBe('calm-harbour')
  expect(await rowsKept()).toBe(1)
  const { text } = await foyer.ask(activity.list, {}, editor)
  expect(text).toContain('password_changed')
  expect(text).not.toContain('harbour')
  await asCustomer((scope) => updateRow(scope, guestsOf(), { id, password: null }))
  expect([await passwordOf(id), await rowsKept()]).toEqual([null, 0])
})

test('sealed fields of many records are stored at once, and each opens for its own record', async () => {
  const property_id = (await foyer.property(editor)).id
  const made = await asCustomer(async (scope) => [
    await createRow(scope, guestsOf(), { name: 'Bea', property_id, password: 'former' }),
    await createRow(scope, guestsOf(), { name: 'Cid', property_id }),
  ])
  const values = new Map(made.map(({ id, name }) => [id, `of ${name}`]))
  await asCustomer((scope) => writeSealedOfMany(scope, secretsOf(), 'password', values))
  for (const { id, name } of made) expect(await passwordOf(id)).toBe(`of ${name}`)
})
