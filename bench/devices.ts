// Devices in the bench: a property with 100,000 devices against one with 100.
import type { Case } from './case.ts'
import type { Customer, Stage } from './stage.ts'

/** Half are disabled, half are televisions, half have `lobby` in their name; one MAC begins with 7e:7e. */
export async function fillDevices({ raw, customers, sizes }: Stage) {
  for (const side of ['small', 'large'] as const)
    await raw.query(
      `with place as (
         insert into properties (customer_id, name, draft) values ($1, 'Devices', true) returning id)
       insert into devices (customer_id, property_id, name, mac_address, mac_category_id, active, created_at)
       select $1, place.id, case when (i / 4) % 2 = 0 then 'Lobby' else 'Room' end || ' device ' || i,
         (case when i = $2 / 2 then '7e:7e' else 'a4:83' end || ':00:'
           || regexp_replace(lpad(to_hex(i), 6, '0'), '(..)(..)(..)', '\\1:\\2:\\3'))::macaddr,
         (select id from mac_categories
           where customer_id = $1 and name = case when i % 2 = 0 then 'TV or streaming' else 'Printer' end),
         (i / 2) % 2 = 0, now() - ($2 - i) * interval '1 minute'
       from generate_series(1, $2) as i, place order by i`,
      [customers[side].id, sizes[side]],
    )
  await raw.query('vacuum analyze devices')
}

const select = (where: string, values: unknown[], order = 't.created_at desc, t.id desc') => ({
  text: `select t.id, t.name, t.mac_address, t.external_reference, t.status, t.created_at,
    (select p.name from properties p where p.customer_id = t.customer_id and p.id = t.property_id) as property_name,
    (select c.name from mac_categories c where c.customer_id = t.customer_id and c.id = t.mac_category_id) as category_name
    from devices t where t.customer_id = $1 and t.deleted_at is null ${where} order by ${order} limit 50`,
  values,
})

interface OfCategory {
  filters: { mac_category_id: number | undefined }
}
const televisions = async ({ ask }: Customer): Promise<OfCategory> => {
  const { data } = await ask('/mac-categories', { searchValue: 'TV or streaming' })
  return { filters: { mac_category_id: data[0]?.id } }
}

const cases: Omit<Case, 'call'>[] = [
  { name: 'first page', rows: 50, body: async () => ({}), query: ({ id }) => select('', [id]) },
  {
    name: 'first page, by name',
    rows: 50,
    body: async () => ({ sort: 'name' }),
    query: ({ id }) => select('', [id], 't.name, t.id'),
  },
  {
    name: 'search, half a MAC',
    rows: 1,
    body: async () => ({ searchValue: '7E-7E-00' }),
    query: ({ id }) => select(`and t.search like '%7e7e00%'`, [id]),
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
  {
    name: 'filter by category',
    rows: 50,
    body: televisions,
    query: ({ id }, { filters }: OfCategory) => select('and t.mac_category_id = $2', [id, filters.mac_category_id]),
  },
]

export const deviceCases: Case[] = cases.map((one) => ({ ...one, name: `devices: ${one.name}`, call: '/macs' }))
