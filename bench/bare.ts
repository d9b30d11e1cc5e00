// Bare: the smallest server that can answer the list of accounts: Fastify, one look-up of the bearer token, one statement under
// row security that gives the same rows as JSON, and the same total. The baseline that Foyer is compared with.
import { createHash } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'

/** The same rows, from the same tables, under the same policies; `tokens.ts` makes the table `bench_tokens`. */
const page = `
  select set_config('app.customer_id', $1::integer::text, true),
    (select coalesce(json_agg(row_to_json(p)), '[]')::text from (
      select t.id, t.name, t.email, t.mobile_number, t.username,
        (select json_build_object('id', r.id, 'name', r.name) from properties r
          where r.customer_id = $1 and r.id = t.property_id) as property,
        (select json_build_object('id', r.id, 'name', r.name) from packages r
          where r.customer_id = $1 and r.id = t.package_id) as package,
        (select json_build_object('id', r.id, 'name', r.number) from rooms r
          where r.customer_id = $1 and r.id = t.room_id) as room,
        t.account_type_id, t.expires_at, t.status, t.logged_in_at, t.created_at
      from accounts t where t.customer_id = $1 and t.deleted_at is null
      order by t.created_at desc, t.id desc limit 50) p) as rows,
    (select count(*)::integer from (
      select from accounts t where t.customer_id = $1 and t.deleted_at is null limit 1001) c) as counted`

const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  max: 10,
  options: '-c timezone=UTC -c max_parallel_workers_per_gather=0 -c jit=off',
})
const app = Fastify()
app.post('/api/v1/accounts', async (request, reply) => {
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  const hash = createHash('sha256').update(token).digest()
  const who = await pool.query<{ customer_id: number }>({
    name: 'who',
    text: 'select customer_id from bench_tokens where token_hash = $1 and expires_at > now()',
    values: [hash],
  })
  const customer_id = who.rows[0]?.customer_id
  if (customer_id === undefined) return reply.code(401).send({ message: 'Unauthenticated.' })
  const { rows } = await pool.query<{ rows: string; counted: number }>({
    name: 'page',
    text: page,
    values: [customer_id],
  })
  const { rows: data = '[]', counted = 0 } = rows[0] ?? {}
  const meta = {
    total: Math.min(counted, 1000),
    from: 1,
    to: 50,
    per_page: 50,
    ...(counted > 1000 ? { more: true } : {}),
  }
  return reply.type('application/json').send(`{"data":${data},"meta":${JSON.stringify(meta)}}`)
})
console.log(`ready at ${await app.listen({ port: 0, host: '127.0.0.1' })}`)
