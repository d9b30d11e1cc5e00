// Created once: a create that is sent to two nodes at once with one key is made once, and both answer the same.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as packages from '#contract/packages.ts'
import { connect } from '#server/db/logins.ts'
import { openNode, type Node } from '#server/node.ts'
import { readConfig } from '#server/start/config.ts'
import { clash } from '#server/errors/refused.ts'
import { openFoyer, patient, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'
import { full, share } from './proof.ts'

const pairs = share(10_000)
/** Enough customers that no token exceeds its 1,200 requests a minute in the whole run. */
const customers = full ? 20 : 2
const pairs_of_customer = pairs / customers
const lanes_of_customer = 3
/** Every tenth pair is sent again with a different body once it is made. */
const changed_every = 10

let foyer: TestFoyer
let second: Node
beforeAll(async () => {
  foyer = await openFoyer()
  second = await openNode({
    config: readConfig({ ROLES: 'api', PUBLIC_URL: 'http://foyer.test' }),
    ...foyer.database,
    webRoot: null,
    tenancy: patient,
    turn_wait_max_ms: patient.statement_timeout_ms,
  })
})
afterAll(async () => {
  await second?.close()
  await foyer?.close()
})

const create = (node: Node['app'], { token, context }: Person, key: string, name: string) =>
  node.inject({
    method: 'POST',
    url: `/api/v1${packages.create.path}`,
    headers: { authorization: `Bearer ${token}`, 'app-context': context, 'idempotency-key': key },
    payload: { name },
  })

test(
  'two creates sent at the same time with one key make one record and get the same answer',
  { timeout: 3_600_000 },
  async ({ task }) => {
    const editors: Person[] = []
    while (editors.length < customers) editors.push(await foyer.customer())
    const nodes = [foyer.app, second.app] as const
    const answered: { id: number; name: string }[] = []
    let refused = 0

    async function pair(editor: Person, number: number) {
      const name = `Pair ${number} of ${editor.user.customer.id}`
      const answers = await Promise.all(nodes.map((node) => create(node, editor, name, name)))
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201])
      const [body = '', other] = answers.map((answer) => answer.body)
      expect(other).toBe(body)
      answered.push({ id: (JSON.parse(body) as { data: { id: number } }).data.id, name })
      if (number % changed_every > 0) return
      const changed = await Promise.all(nodes.map((node) => create(node, editor, name, `${name} changed`)))
      for (const answer of changed)
        expectRefused(answer, clash('This Idempotency-Key was used for a different request.'))
      refused += changed.length
    }
    await Promise.all(
      editors.map(async (editor) => {
        let next = 0
        const lane = async () => {
          while (next < pairs_of_customer) await pair(editor, next++)
        }
        await Promise.all(Array.from({ length: lanes_of_customer }, lane))
      }),
    )

    const admin = await connect(foyer.database.adminUrl)
    const { rows } = await admin.query<{ id: number; name: string }>(
      `select id, name from packages where name like 'Pair %' order by id`,
    )
    await admin.end()
    expect(rows).toEqual(answered.toSorted((one, other) => one.id - other.id))
    expect(rows).toHaveLength(pairs)
    const of_each = `${pairs} pairs of ${customers} customers, ${rows.length} records`
    task.meta.figures = `${of_each}; another body under a used key was 409 each of ${refused} times`
  },
)
