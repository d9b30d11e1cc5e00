// Schema: its rules, read from the catalogue of a migrated database, so that no new table can expose a customer.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { statuses, statusOf } from '#contract/status.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import { freshDatabase } from './database.ts'

/** The same for every customer, and read-only. */
const lookups = [
  'account_types',
  'auth_methods',
  'connectivity_types',
  'countries',
  'frequency_types',
  'gateway_types',
  'mac_category_templates',
  'portal_fonts',
  'portal_layouts',
  'portal_types',
  'property_interface_types',
  'property_types',
  'user_types',
]
/** Read before a customer is known, only by functions of the owner. */
const authenticator = [
  'address_confirmations',
  'installation',
  'login_addresses',
  'login_devices',
  'logins',
  'oauth_states',
  'password_resets',
  'pseudonym_key',
  'rate_limits',
  'recovery_codes',
  'releases',
  'searched_tables',
  'second_factors',
  'sessions',
  'sign_in_challenges',
]
/** The upgrade's own tables. */
const bookkeeping = [
  'kysely_migration',
  'kysely_migration_lock',
  'upgrade_backfills',
  'upgrade_former_queues',
  'upgrade_functions',
]
/** Tenant tables to which the product may only add rows. */
const appendOnly = ['activity', 'occupancy_nights', 'radius_authorisations']
/** Tenant tables that functions of the database write, and the product only reads and locks. */
const ofFunctions = ['night_ledgers']
/** Columns that may be written but not read back. */
const writeOnly = [
  'api_key_secrets.token_hash',
  'connection_secrets.sealed_value',
  'gateway_secrets.sealed_password',
  'gateway_secrets.sealed_radius_secret',
  'gateway_setting_secrets.sealed_value',
  'integration_tokens.sealed_access_token',
  'integration_tokens.sealed_refresh_token',
  'property_interface_secrets.sealed_password',
  'property_interface_secrets.sealed_username',
  'property_interface_setting_secrets.sealed_value',
  'webhook_secrets.sealed_former',
  'webhook_secrets.sealed_older',
  'webhook_secrets.sealed_secret',
]

let database: Awaited<ReturnType<typeof freshDatabase>>
let owner: pg.Client
let app: pg.Client

beforeAll(async () => {
  database = await freshDatabase()
  owner = new pg.Client({ connectionString: database.ownerUrl })
  app = new pg.Client({ connectionString: database.appUrl })
  await owner.connect()
  await app.connect()
}, 120_000)

afterAll(async () => {
  await app?.end()
  await owner?.end()
  await database?.drop()
})

const rowsOf = async <R extends object>(sql: string, values: unknown[] = []) => (await owner.query<R>(sql, values)).rows
const namesOf = async (sql: string, values: unknown[] = []) =>
  (await rowsOf<{ name: string }>(sql, values)).map((row) => row.name)

const tablesBut = [...lookups, ...authenticator, ...bookkeeping, 'customers']
const tenantTables = `select c.oid, c.relname as name, c.relrowsecurity, c.relforcerowsecurity from pg_class c
  where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and c.relname <> all ($1)`

describe('every tenant table', () => {
  it('has a customer_id that refers to a customer, itself or together with its parent, and cannot be empty', async () => {
    const violations = await namesOf(
      `select t.name from (${tenantTables}) t where not exists (
         select from pg_attribute a join pg_constraint k on k.conrelid = a.attrelid and k.contype = 'f' and k.conkey[1] = a.attnum
         where a.attrelid = t.oid and a.attname = 'customer_id' and a.attnotnull and (k.confrelid = 'customers'::regclass
           or not exists (select from pg_attribute x where x.attrelid = t.oid and x.attnum = any (k.conkey) and not x.attnotnull)))`,
      [tablesBut],
    )
    expect(violations).toEqual([])
  })

  it('has forced row-level security', async () => {
    const violations = await namesOf(
      `select t.name from (${tenantTables}) t where not (t.relrowsecurity and t.relforcerowsecurity)`,
      [tablesBut],
    )
    expect(violations).toEqual([])
  })

  it('has two policies: the owner sees all, the app its customer; and one more where it keeps what trials bring about', async () => {
    const policies = await rowsOf<{
      tablename: string
      policyname: string
      roles: string
      cmd: string
      permissive: string
      qual: string
      with_check: string
    }>(
      `select tablename, policyname, roles::text, cmd, permissive, qual, with_check
       from pg_policies where schemaname = 'public' order by 1, 2`,
    )
    const byTable = Map.groupBy(policies, (policy) => policy.tablename)
    const keepsTrials = await namesOf(
      `select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
       where a.attname = 'trial_id' and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
    )
    // Without a trigger before each update, which would have their generated columns worked out again.
    const refusesTrials = ['accounts', 'gateways', 'radius_sessions']
    // The owner's functions search these by an index that no policy of its own may stand before.
    const searchedInMillions = ['guests', 'radius_authorisations', 'radius_sessions']
    const apart = /trial_id IS NULL.*trial_id = .*app_trial_id.*app_sees_trials/s
    const its = (qual: string) =>
      expect.stringMatching(new RegExp(`^\\(${qual} = \\( SELECT app_customer_id\\(\\) AS app_customer_id\\)\\)$`))
    for (const table of [...(await namesOf(tenantTables, [tablesBut])), 'customers']) {
      const qual = its(table === 'customers' ? 'id' : 'customer_id')
      expect(byTable.get(table), table).toMatchObject([
        { roles: '{foyer_app}', cmd: 'ALL', permissive: 'PERMISSIVE', qual, with_check: qual },
        { roles: '{foyer_owner}', cmd: 'ALL', permissive: 'PERMISSIVE', qual: 'true', with_check: 'true' },
        ...(refusesTrials.includes(table)
          ? [{ policyname: 'trials_refused', cmd: 'UPDATE', permissive: 'RESTRICTIVE', qual: 'true' }]
          : []),
        ...(keepsTrials.includes(table)
          ? [
              {
                roles: searchedInMillions.includes(table) ? '{foyer_app}' : '{public}',
                cmd: 'ALL',
                permissive: 'RESTRICTIVE',
                qual: expect.stringMatching(apart) as string,
              },
            ]
          : []),
      ])
    }
  })

  it('can be referred to together with its customer: unique (customer_id, id)', async () => {
    const violations = await namesOf(
      `select t.name from (${tenantTables}) t where not exists (select from pg_constraint k
         where k.conrelid = t.oid and pg_get_constraintdef(k.oid) in ('UNIQUE (customer_id, id)', 'PRIMARY KEY (customer_id, id)'))`,
      [tablesBut],
    )
    expect(violations).toEqual([])
  })

  it('has an id made by the database', async () => {
    const violations = await namesOf(
      `select t.name from (${tenantTables}) t where not exists (select from pg_attribute a
         where a.attrelid = t.oid and a.attname = 'id' and a.attidentity = 'a')`,
      [tablesBut],
    )
    expect(violations).toEqual([])
  })

  it('grants the app exactly what it may do', async () => {
    const rights = await rowsOf<{ name: string; rights: string[] }>(
      `select t.name, array(select r from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) r
         where has_table_privilege('foyer_app', t.oid, r)) as rights from (${tenantTables}) t`,
      [tablesBut],
    )
    const secretTables = new Set(writeOnly.map((column) => column.split('.')[0]))
    for (const { name, rights: actual } of rights) {
      const expected = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'].filter(
        (right) =>
          !(right === 'SELECT' && secretTables.has(name)) &&
          !(['UPDATE', 'DELETE'].includes(right) && appendOnly.includes(name)) &&
          !(right !== 'SELECT' && ofFunctions.includes(name)),
      )
      expect({ name, rights: actual }).toEqual({ name, rights: expected })
    }
  })

  it('keeps its secrets unreadable to the app', async () => {
    const unreadable = await namesOf(
      `select t.name || '.' || a.attname as name from (${tenantTables}) t join pg_attribute a on a.attrelid = t.oid
       where a.attnum > 0 and not a.attisdropped and not has_column_privilege('foyer_app', t.oid, a.attnum, 'SELECT') order by 1`,
      [tablesBut],
    )
    expect(unreadable).toEqual(writeOnly)
  })
})

it('every column of sealed values is known to the rotation of the key', async () => {
  const columns = await namesOf(`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and column_name like 'sealed\\_%'`)
  expect(Object.keys(sealedColumns).toSorted()).toEqual(columns.toSorted())
})

describe('a reference', () => {
  const references = `select k.conname as name, k.conrelid::regclass::text as "from", k.confrelid::regclass::text as "to",
      array(select a.attname::text from unnest(k.conkey) with ordinality u (n, o)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.n order by o) as columns,
      array(select a.attname::text from unnest(k.confdelsetcols) u (n)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.n) as emptied,
      k.confdeltype as on_delete, k.conrelid, k.conkey
    from pg_constraint k where k.contype = 'f' and k.connamespace = 'public'::regnamespace`
  interface Reference {
    name: string
    from: string
    to: string
    columns: string[]
    emptied: string[]
    on_delete: string
  }

  it('between tenant tables names the customer first', async () => {
    const plain = [...lookups, 'customers', 'logins']
    for (const { name, from, to, columns } of await rowsOf<Reference>(references))
      if (plain.includes(to)) expect(columns.length, name).toBe(1)
      else if (authenticator.includes(from) && !columns.includes('customer_id'))
        expect([from, to]).toEqual(['logins', 'users'])
      else expect(columns, name).toEqual(['customer_id', expect.stringMatching(/_id$/)])
  })

  it('that may be empty is emptied alone, never together with its customer', async () => {
    const mayBeEmpty = (await rowsOf<Reference>(references)).filter((r) => r.on_delete === 'n' && r.columns.length > 1)
    expect(mayBeEmpty.map((r) => r.emptied)).toEqual(mayBeEmpty.map((r) => r.columns.slice(1)))
  })

  it('has an index that finds the rows that refer', async () => {
    // Look-ups are never deleted. An index over undeleted rows is enough: parents are only deleted softly, see 0001.
    const violations = await namesOf(
      `select r.name from (${references}) r where r."to" <> all ($1) and not exists (
         select from pg_index i
         where i.indrelid = r.conrelid and i.indnkeyatts >= cardinality(r.conkey)
           and (select array_agg(n) from unnest((i.indkey::int2[])[0:cardinality(r.conkey) - 1]) n) @> r.conkey
           and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) in
             ('(deleted_at IS NULL)', '(' || r.columns[cardinality(r.columns)] || ' IS NOT NULL)')))`,
      [lookups],
    )
    expect(violations).toEqual([])
  })
})

it('no index says what another one begins with', async () => {
  // One over a part of the rows may stand beside: it is small. One that leaves out empty references is nearly as large.
  const violations = await namesOf(`
    with btree as (
      select i.indexrelid::regclass::text as name, i.indrelid, i.indisunique, pg_get_expr(i.indpred, i.indrelid) as part,
        array(select concat_ws(' ', pg_get_indexdef(i.indexrelid, n, true), i.indoption[n - 1], i.indclass[n - 1])
          from generate_series(1, i.indnkeyatts) as n) as keys,
        pg_get_indexdef(i.indexrelid, i.indnkeyatts, true) as last_key
      from pg_index as i join pg_class as c on c.oid = i.indexrelid join pg_am as a on a.oid = c.relam and a.amname = 'btree'
      where c.relnamespace = 'public'::regnamespace)
    select one.name || ' beside ' || other.name as name from btree as one join btree as other using (indrelid)
    where one.name <> other.name and not one.indisunique and one.keys = other.keys[1:cardinality(one.keys)]
      and (one.part is not distinct from other.part
        or other.part is null and one.part = '(' || one.last_key || ' IS NOT NULL)')
      and (cardinality(one.keys) < cardinality(other.keys) or other.indisunique or one.name > other.name or other.part is null)`)
  expect(violations).toEqual([])
})

it('every table says what it is, for whoever looks at it with psql', async () => {
  const silent = await namesOf(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and c.relname <> all ($1) and obj_description(c.oid, 'pg_class') is null`,
    [bookkeeping],
  )
  expect(silent).toEqual([])
})

it('every function of ours says what it does, by the comment above it in its file', async () => {
  const silent = await namesOf(
    `select p.proname as name from pg_proc p where p.pronamespace = 'public'::regnamespace
       and not exists (select from pg_depend d where d.objid = p.oid and d.classid = 'pg_proc'::regclass and d.deptype = 'e')
       and length(coalesce(obj_description(p.oid, 'pg_proc'), '')) < 20 order by 1`,
  )
  expect(silent).toEqual([])
})

it('a function of ours has at most 100 lines, without comments, as in TypeScript', async () => {
  const bodies = await rowsOf<{ name: string; text: string }>(
    `select proname as name, pg_get_functiondef(oid) as text from pg_proc
     where pronamespace = 'public'::regnamespace and prokind in ('f', 'p')
       and prolang <> (select oid from pg_language where lanname = 'c')`,
  )
  const long = bodies.map(({ name, text }) => ({
    name,
    lines: text.split('\n').filter((line) => !/^\s*(--|$)/.test(line)).length,
  }))
  expect(long.length).toBeGreaterThan(250)
  expect(long.filter(({ lines }) => lines > 100)).toEqual([])
})

describe('outside the tenants', () => {
  it('the app has no right at all on door tables', async () => {
    const open = await namesOf(
      `select c.relname || ' ' || r as name from pg_class c,
         unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) r
       where c.relnamespace = 'public'::regnamespace and c.relname = any ($1) and (has_table_privilege('foyer_app', c.oid, r)
         or r in ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES') and has_any_column_privilege('foyer_app', c.oid, r))`,
      [[...authenticator, ...bookkeeping]],
    )
    expect(open).toEqual([])
  })

  it('the app reads look-ups and never writes them', async () => {
    for (const table of lookups) {
      expect((await app.query(`select count(*)::int as n from ${table}`)).rows[0].n, table).toBeGreaterThan(0)
      await expect(app.query(`delete from ${table}`), table).rejects.toMatchObject({ code: '42501' })
      await expect(app.query(`update ${table} set id = id`), table).rejects.toMatchObject({ code: '42501' })
      await expect(app.query(`insert into ${table} default values`), table).rejects.toMatchObject({ code: '42501' })
    }
  })

  it('the app owns nothing, creates nothing and bypasses nothing', async () => {
    const role = await rowsOf(
      `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication from pg_roles where rolname = 'foyer_app'`,
    )
    expect(role).toEqual([
      { rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false, rolreplication: false },
    ])
    expect(await namesOf(`select relname as name from pg_class where relowner = 'foyer_app'::regrole`)).toEqual([])
    await expect(app.query('create table own_table (id integer)')).rejects.toMatchObject({ code: '42501' })
    const memberships = await namesOf(
      `select roleid::regrole::text as name from pg_auth_members where member = 'foyer_app'::regrole`,
    )
    expect(memberships).toEqual([])
  })

  it('no view shows what the policies hide', async () => {
    const leaky = await namesOf(
      `select relname as name from pg_class where relkind in ('v', 'm') and relnamespace = 'public'::regnamespace
       and (relkind = 'm' or not coalesce(reloptions, '{}') && array['security_invoker=true', 'security_invoker=on', 'security_invoker=1'])
       and has_table_privilege('foyer_app', oid, 'SELECT')`,
    )
    expect(leaky).toEqual([])
  })

  it("functions with the owner's rights fix their search path and are not for everybody", async () => {
    const functions = await rowsOf<{ name: string; config: string[] | null; everybody: boolean }>(
      `select p.oid::regprocedure::text as name, p.proconfig as config, has_function_privilege('public', p.oid, 'EXECUTE') as everybody
       from pg_proc p where p.prosecdef and p.pronamespace <> 'pg_catalog'::regnamespace`,
    )
    expect(functions.map(({ name }) => name)).toContain('search_ids(text,text,integer,integer[])')
    for (const { name, config, everybody } of functions) {
      // pg_temp is named last because it comes first if unnamed: a temporary table `sessions` would replace the real one.
      expect(config, name).toContain('search_path=pg_catalog, public, pg_temp')
      expect(everybody, name).toBe(false)
    }
  })
})

describe('status', () => {
  it('is derived as in the contract', async () => {
    const columns = await rowsOf<{ name: string; expression: string; has_draft: boolean; generated: string }>(
      `select c.relname as name, pg_get_expr(d.adbin, d.adrelid) as expression, a.attgenerated as generated,
         exists (select from pg_attribute x where x.attrelid = c.oid and x.attname = 'draft') as has_draft
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'status'
       left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
       where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
         and exists (select from pg_attribute x where x.attrelid = c.oid and x.attname = 'active')`,
    )
    expect(columns.length).toBeGreaterThan(15)
    for (const { name, expression, has_draft, generated } of columns) {
      expect(generated, name).toBe('s')
      for (const active of [true, false])
        for (const draft of has_draft ? [true, false] : [false]) {
          const [row] = await rowsOf<{ status: string }>(
            `select ${expression} as status from (select $1::boolean as active, $2::boolean as draft) as row`,
            [active, draft],
          )
          expect(statuses, name).toContain(row?.status)
          expect(row?.status, name).toBe(statusOf(has_draft ? { active, draft } : { active }))
        }
    }
  })

  it('exists in every table that has active', async () => {
    const violations = await namesOf(
      `select c.relname as name from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
       and exists (select from pg_attribute where attrelid = c.oid and attname = 'active')
       and not exists (select from pg_attribute where attrelid = c.oid and attname = 'status')`,
    )
    expect(violations).toEqual([])
  })
})

describe('between two customers', () => {
  let a: number
  let b: number
  const groupOf: Record<number, number> = {}
  const as = async <R>(customer: number | null, work: () => Promise<R>): Promise<R> => {
    await app.query('begin')
    try {
      if (customer !== null) await app.query(`select set_config('app.customer_id', $1, true)`, [String(customer)])
      return await work()
    } finally {
      await app.query('rollback')
    }
  }

  beforeAll(async () => {
    const made = await rowsOf<{ id: number }>(`insert into customers (name) values ('A'), ('B') returning id`)
    ;[a, b] = made.map((row) => row.id) as [number, number]
    for (const customer of [a, b]) {
      const [group] = await rowsOf<{ id: number }>(
        `insert into groups (customer_id, name) values ($1, 'Northern hotels') returning id`,
        [customer],
      )
      groupOf[customer] = group?.id ?? 0
      await owner.query(`insert into activity (customer_id, action) values ($1, 'login')`, [customer])
      await owner.query(
        `insert into properties (customer_id, group_id, name) select $1, $2, 'Grand Hotel 100%_' || i from generate_series(1, 1200) i`,
        [customer, groupOf[customer]],
      )
    }
  })

  it('without a customer there are no rows, in every tenant table', async () => {
    for (const table of [...(await namesOf(tenantTables, [tablesBut])), 'customers']) {
      const { rows } = await as(null, () => app.query(`select count(id)::int as n from ${table}`))
      expect(rows, table).toEqual([{ n: 0 }])
    }
  })

  it('A sees its own rows and none of B', async () => {
    for (const table of ['groups', 'properties', 'activity'])
      expect((await as(a, () => app.query(`select distinct customer_id from ${table}`))).rows).toEqual([
        { customer_id: a },
      ])
    expect((await as(a, () => app.query('select id from customers'))).rows).toEqual([{ id: a }])
  })

  it('A cannot change or delete rows of B', async () => {
    const changed = await as(a, () => app.query(`update groups set name = 'mine' where id = $1`, [groupOf[b]]))
    expect(changed.rowCount).toBe(0)
    expect((await as(a, () => app.query('delete from groups where id = $1', [groupOf[b]]))).rowCount).toBe(0)
    expect((await as(a, () => app.query(`update customers set name = 'mine' where id = $1`, [b]))).rowCount).toBe(0)
  })

  it('A cannot write a row into B, nor move one there', async () => {
    await expect(
      as(a, () => app.query(`insert into groups (customer_id, name) values ($1, 'x')`, [b])),
    ).rejects.toMatchObject({ code: '42501' })
    await expect(as(a, () => app.query('update groups set customer_id = $1', [b]))).rejects.toMatchObject({
      code: '42501',
    })
  })

  it('a row is stamped with the customer of the transaction', async () => {
    const { rows } = await as(a, () => app.query(`insert into groups (name) values ('x') returning customer_id`))
    expect(rows).toEqual([{ customer_id: a }])
    await expect(as(null, () => app.query(`insert into groups (name) values ('x')`))).rejects.toThrow()
  })

  it('A cannot refer to rows of B', async () => {
    const refer = as(a, () => app.query(`insert into properties (name, group_id) values ('x', $1)`, [groupOf[b]]))
    await expect(refer).rejects.toMatchObject({ code: '23503' })
    // Not even the owner can store such a row.
    const owned = owner.query(`insert into properties (customer_id, name, group_id) values ($1, 'x', $2)`, [
      a,
      groupOf[b],
    ])
    await expect(owned).rejects.toMatchObject({ code: '23503' })
  })

  it('the activity log is never rewritten', async () => {
    await expect(as(a, () => app.query(`update activity set actor_name = 'x'`))).rejects.toMatchObject({
      code: '42501',
    })
    await expect(as(a, () => app.query('delete from activity'))).rejects.toMatchObject({ code: '42501' })
  })

  describe('search', () => {
    const found = async (
      customer: number | null,
      table: string,
      needle: string,
      max = 10_000,
      properties: number[] | null = null,
    ) =>
      (
        await as(customer, () =>
          app.query<{ id: string }>('select search_ids($1, $2, $3, $4) as id', [table, needle, max, properties]),
        )
      ).rows.map((row) => Number(row.id))
    const ownersOf = (ids: number[]) => rowsOf(`select distinct customer_id from properties where id = any ($1)`, [ids])

    it('finds nothing without a customer, and only its own rows otherwise', async () => {
      expect(await found(null, 'properties', 'grand')).toEqual([])
      const ids = await found(a, 'properties', 'GRAND')
      expect(ids.length).toBe(1200)
      expect(await ownersOf(ids)).toEqual([{ customer_id: a }])
    })

    it('gives the newest first, and no more than asked for', async () => {
      const all = await rowsOf<{ id: number }>(
        'select id from properties where customer_id = $1 order by created_at desc, id desc',
        [a],
      )
      const ids = all.map((row) => row.id)
      expect(await found(a, 'properties', 'grand', 50)).toEqual(ids.slice(0, 50))
      expect(await found(a, 'properties', 'grand', 1100)).toEqual(ids.slice(0, 1100))
      const oldest = ids.at(-1) as number
      expect(await found(a, 'properties', 'grand hotel 100%_1', 5000)).toContain(oldest)
      expect(await found(a, 'properties', 'grand', 50, [oldest])).toEqual([oldest])
    })

    it('takes wildcards and quotes literally', async () => {
      expect(await found(a, 'properties', '100%_1200')).toHaveLength(1)
      expect(await found(a, 'properties', 'g%l')).toEqual([])
      expect(await found(a, 'properties', 'grand_')).toEqual([])
      expect(await found(a, 'properties', `' or true --`)).toEqual([])
      expect(await found(a, 'properties', '\\')).toEqual([])
      expect(await found(a, 'properties', '  ')).toEqual([])
    })

    it('takes one or two characters as the beginning of a word', async () => {
      expect(await found(a, 'properties', 'gr', 10)).toHaveLength(10)
      expect(await found(a, 'properties', 'ra')).toEqual([])
    })

    it('leaves deleted rows out', async () => {
      await owner.query(`update properties set deleted_at = now() where customer_id = $1 and name like '%1200'`, [b])
      expect(await found(b, 'properties', '100%_1200')).toEqual([])
    })

    it('knows every table that has a search column, and no other', async () => {
      const searchable = await namesOf(
        `select c.relname as name from pg_class c join pg_attribute x on x.attrelid = c.oid and x.attname = 'search'
         where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
      )
      for (const table of searchable) {
        await expect(found(a, table, 'no such row'), table).resolves.toEqual([])
        const indexes = await namesOf(
          `select indexdef as name from pg_indexes where schemaname = 'public' and tablename = $1`,
          [table],
        )
        expect(indexes, table).toContainEqual(
          expect.stringMatching(/USING btree \(customer_id, created_at( DESC)?, id( DESC)?\)/),
        )
        expect(indexes, table).toContainEqual(
          expect.stringContaining('USING gin (customer_id, search gin_trgm_ops, ((customer_id)::bigint))'),
        )
      }
      for (const table of ['logins', 'sessions', 'groups; drop table groups', 'pg_authid'])
        await expect(found(a, table, 'abc'), table).rejects.toMatchObject({ code: '22023' })
    })
  })
})
