// Try-out: a link is tried out at a property without a system, and nothing of it is there afterwards.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as interfaces from '#contract/property-interfaces.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

/** How many rows each table of customers has. */
async function counted() {
  const tables = await foyer.query<{ name: string }>(
    `select c.table_name as name from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and c.column_name = 'customer_id' and t.table_type = 'BASE TABLE'`,
    [],
  )
  const rows = await Promise.all(
    tables.map(async ({ name }) => {
      const [found] = await foyer.query<{ rows: number }>(`select count(*)::integer as rows from "${name}"`, [])
      return [name, found?.rows ?? 0] as const
    }),
  )
  // Each request leaves how it was answered, and how often somebody asked.
  return Object.fromEntries(rows.filter(([name]) => !/idempotency|rate|limit|turn|count/.test(name)))
}

test.each([
  ['in the rooms that are free', ['101', '102', '103']],
  ['where there are none yet', []],
])('a link is tried out with invented updates, %s, and leaves nothing behind', async (_, numbers) => {
  const { id: property_id } = await foyer.property(editor, { time_zone: 'Atlantic/Reykjavik' })
  if (numbers.length > 0) await foyer.rooms(editor, property_id, numbers)
  const before = await counted()
  const { data } = await foyer.get(interfaces.tryOut, { property_id }, editor)
  const [one, other, third] = numbers.length > 0 ? numbers : ['801', '802', '803']
  const houses = data.steps.map(({ house }) => house.map(({ room, name }) => `${room} ${name}`))
  expect(houses).toEqual([
    [],
    [`${one} Ada Hart`, `${other} Ben Weber`],
    [`${one} Ada Hart`, `${other} Ben Weber`, `${third} Carla Ode`],
    [`${one} Ada Hart`, `${other} Ben Weber`, `${third} Carla Ode`, `${third} Dan Ode`],
    [`${one} Ada Hart`, `${other} Ben Webber`, `${third} Carla Ode`, `${third} Dan Ode`],
    [`${one} Ada Hart`, `${other} Ben Webber`, `${third} Carla Ode`, `${third} Dan Ode`],
    [`${one} Ada Hart`, `${third} Carla Ode`, `${third} Dan Ode`],
    [`${other} Ada Hart`, `${third} Carla Ode`, `${third} Dan Ode`],
  ])
  expect(data.steps.flatMap(({ sentences }) => sentences).join('\n')).toContain(`From room ${one} to room ${other}`)
  expect(await counted()).toEqual(before)
  expect(
    await foyer.query('select sync_rooms_and_devices as makes from properties where id = $1', [property_id]),
  ).toEqual([{ makes: false }])
})
