// Collections and teams in the bench: 100,000 of each against 100, each with members whose names are in its row.
import type { Case } from './case.ts'
import type { Customer, Stage } from './stage.ts'

/** Half are disabled, half have `lobby` in their name, one is called Zanzibar; half contain the first property. */
export async function fillCollections({ raw, customers, sizes }: Stage) {
  const fill = (table: 'collections' | 'teams', side: 'small' | 'large') =>
    raw.query(
      `insert into ${table} (customer_id, name, active, created_at)
       select $1, case when i = $2 / 2 then 'Zanzibar ' when (i / 4) % 2 = 0 then 'Lobby ' else 'Room ' end || i, (i / 2) % 2 = 0,
         now() - ($2 - i) * interval '1 minute'
       from generate_series(1, $2) as i order by i`,
      [customers[side].id, sizes[side]],
    )
  for (const side of ['small', 'large'] as const) {
    const { id } = customers[side]
    await fill('collections', side)
    await fill('teams', side)
    await raw.query(
      `insert into collection_properties (customer_id, collection_id, property_id)
       select c.customer_id, c.id, p.id from collections as c, lateral (
         select t.id, row_number() over (order by t.id) as place from properties as t where t.customer_id = $1 order by t.id limit 4) as p
       where c.customer_id = $1 and (p.place > 1 or c.id % 2 = 0)`,
      [id],
    )
    await raw.query(
      `insert into collection_users (customer_id, collection_id, user_id)
       select c.customer_id, c.id, u.id from collections as c join users as u on u.customer_id = c.customer_id where c.customer_id = $1`,
      [id],
    )
    await raw.query(
      `insert into team_users (customer_id, team_id, user_id)
       select t.customer_id, t.id, u.id from teams as t join users as u on u.customer_id = t.customer_id where t.customer_id = $1`,
      [id],
    )
  }
  for (const table of ['collections', 'collection_properties', 'collection_users', 'teams', 'team_users'])
    await raw.query(`vacuum analyze ${table}`)
}

interface Plain {
  table: 'collections' | 'teams'
  /** The table of members; the names of the first two are selected, as in the product. */
  links: string
  mine: string
  theirs: string
  of: string
}
const plain =
  ({ table, links, mine, theirs, of }: Plain) =>
  (where: string, values: unknown[], order = 't.created_at desc, t.id desc') => ({
    text: `select t.id, t.name, t.status, t.created_at,
      (select string_agg(m.name, ', ') from (
        select o.name from ${links} l join ${of} o on o.customer_id = l.customer_id and o.id = l.${theirs}
        where l.customer_id = t.customer_id and l.${mine} = t.id order by o.name limit 2) m) as members
      from ${table} t where t.customer_id = $1 and t.deleted_at is null ${where} order by ${order} limit 50`,
    values,
  })

const casesOf = (select: ReturnType<typeof plain>): Omit<Case, 'call'>[] => [
  { name: 'first page', rows: 50, body: async () => ({}), query: ({ id }) => select('', [id]) },
  {
    name: 'first page, by name',
    rows: 50,
    body: async () => ({ sort: 'name' }),
    query: ({ id }) => select('', [id], 't.name, t.id'),
  },
  {
    name: 'search, rare word',
    rows: 1,
    body: async () => ({ searchValue: 'zanzibar' }),
    query: ({ id }) => select(`and t.search like '%zanzibar%'`, [id]),
  },
  {
    name: 'search, common word',
    rows: 50,
    body: async () => ({ searchValue: 'lobby' }),
    query: ({ id }) => select(`and t.search like '%lobby%'`, [id]),
  },
  {
    name: 'filter by status',
    rows: 50,
    body: async () => ({ filters: { status: ['active'] } }),
    query: ({ id }) => select(`and t.status = any('{active}')`, [id]),
  },
]

const ofCollections = plain({
  table: 'collections',
  links: 'collection_properties',
  mine: 'collection_id',
  theirs: 'property_id',
  of: 'properties',
})
const ofTeams = plain({ table: 'teams', links: 'team_users', mine: 'team_id', theirs: 'user_id', of: 'users' })

interface OfProperty {
  params: { property_id: number | undefined }
}
/** The oldest property is in half of the collections. */
const firstProperty = async ({ ask }: Customer): Promise<OfProperty> => {
  const { data } = await ask('/properties', { sort: 'created_at', per_page: 1 })
  return { params: { property_id: data[0]?.id } }
}

export const collectionCases: Case[] = [
  ...casesOf(ofCollections).map((one) => ({ ...one, name: `collections: ${one.name}`, call: '/collections' })),
  {
    name: 'collections: of one property',
    rows: 50,
    body: firstProperty,
    query: ({ id }, { params }: OfProperty) =>
      ofCollections(
        `and exists (select from collection_properties m
          where m.customer_id = t.customer_id and m.collection_id = t.id and m.property_id = $2)`,
        [id, params.property_id],
      ),
    call: '/collections',
  },
  ...casesOf(ofTeams).map((one) => ({ ...one, name: `teams: ${one.name}`, call: '/teams' })),
]
