// Rooms in the bench: a property with 100,000 rooms against one with 100. In both fifty are vacant, which is rare among many.
import type { Case } from './case.ts'
import type { Stage } from './stage.ts'

const vacant = 50

/** Half are in the tower; a single one is in the annexe. */
export async function fillRooms({ raw, customers, sizes }: Stage) {
  for (const side of ['small', 'large'] as const) {
    const values = [customers[side].id, sizes[side]]
    await raw.query(
      `insert into rooms (customer_id, property_id, number, external_reference, active, created_at)
       select $1, (select min(id) from properties where customer_id = $1), 'A-' || i,
         case when i = $2 / 2 then 'Annexe' when i % 2 = 0 then 'Tower ' || i end, (i / 2) % 2 = 0, now() - ($2 - i) * interval '1 minute'
       from generate_series(1, $2) as i order by i`,
      values,
    )
    await raw.query(
      `insert into room_guests (customer_id, room_id, last_name)
       select customer_id, id, 'Guest ' || id from rooms where customer_id = $1 order by id offset $2 / 2 limit $2 - ${vacant}`,
      [values[0], values[1]],
    )
    await raw.query(
      `insert into room_guests (customer_id, room_id, last_name)
       select customer_id, id, 'Guest ' || id from rooms where customer_id = $1 and occupants = 0
       order by id limit greatest((select count(*) from rooms where customer_id = $1 and occupants = 0) - ${vacant}, 0)`,
      [values[0]],
    )
  }
  await raw.query('vacuum analyze rooms')
  await raw.query('vacuum analyze room_guests')
}

const select = (where: string, values: unknown[], order = 't.created_at desc, t.id desc') => ({
  text: `select t.id, t.number, t.external_reference, t.occupancy, t.occupants, t.status, t.created_at,
    (select string_agg(g.name, ', ') from room_guests g
      where g.customer_id = t.customer_id and g.room_id = t.id and g.deleted_at is null) as names,
    (select p.name from properties p where p.customer_id = t.customer_id and p.id = t.property_id) as property_name
    from rooms t where t.customer_id = $1 and t.deleted_at is null ${where} order by ${order} limit 50`,
  values,
})
const byNumber = 't.number, t.id'

const cases: Omit<Case, 'call'>[] = [
  { name: 'first page', rows: 50, body: async () => ({}), query: ({ id }) => select('', [id]) },
  {
    name: 'first page, by number',
    rows: 50,
    body: async () => ({ sort: 'number' }),
    query: ({ id }) => select('', [id], byNumber),
  },
  {
    name: 'search, rare word',
    rows: 1,
    body: async () => ({ searchValue: 'annexe' }),
    query: ({ id }) => select(`and t.search like '%annexe%'`, [id]),
  },
  {
    name: 'search, common word',
    rows: 49,
    body: async () => ({ searchValue: 'tower', per_page: 49 }),
    query: ({ id }) => select(`and t.search like '%tower%'`, [id]),
  },
  {
    name: 'filter by status',
    rows: 50,
    body: async () => ({ filters: { status: ['active'] } }),
    query: ({ id }) => select(`and t.status = 'active'`, [id]),
  },
  {
    name: 'filter by occupancy, vacant',
    rows: vacant,
    body: async () => ({ filters: { occupancy: 'vacant' } }),
    query: ({ id }) => select(`and t.occupancy = 'vacant'`, [id]),
  },
  {
    name: 'filter by occupancy, vacant, by number',
    rows: vacant,
    body: async () => ({ filters: { occupancy: 'vacant' }, sort: 'number' }),
    query: ({ id }) => select(`and t.occupancy = 'vacant'`, [id], byNumber),
  },
  {
    name: 'filter by occupancy, occupied',
    rows: 50,
    body: async () => ({ filters: { occupancy: ['occupied'] } }),
    query: ({ id }) => select(`and t.occupancy = any('{occupied}')`, [id]),
  },
]

export const roomCases: Case[] = cases.map((one) => ({ ...one, name: `rooms: ${one.name}`, call: '/rooms' }))
