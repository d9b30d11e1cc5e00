// Bare query: the smallest server that answers a statement over HTTP: Fastify, one look-up of the bearer token, and the statement,
// prepared once for each connection, under row security and as JSON from the database. STATEMENTS is the path of a JSON file of them.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import Fastify from 'fastify'
import pg from 'pg'

const statements = JSON.parse(fs.readFileSync(process.env['STATEMENTS'] ?? '', 'utf8')) as Record<string, string>
const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  max: 10,
  options: '-c timezone=UTC -c max_parallel_workers_per_gather=0 -c jit=off -c enable_seqscan=off',
})
const app = Fastify()
app.post<{ Body: { name: string; values: unknown[] } }>('/query', async (request, reply) => {
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  const hash = createHash('sha256').update(token).digest()
  const who = await pool.query<{ customer_id: number }>({
    name: 'who',
    text: 'select customer_id from bench_tokens where token_hash = $1 and expires_at > now()',
    values: [hash],
  })
  const customer_id = who.rows[0]?.customer_id
  const { name, values } = request.body
  const text = statements[name]
  if (customer_id === undefined || text === undefined) return reply.code(401).send({ message: 'Unauthenticated.' })
  // The first value of each statement is the customer.
  const { rows } = await pool.query<{ rows: string }>({
    name,
    text: `select set_config('app.customer_id', ($1::integer)::text, true),
      (select coalesce(json_agg(row_to_json(p)), '[]')::text from (${text}) as p) as rows`,
    values: [customer_id, ...values],
  })
  return reply.type('application/json').send(`{"data":${rows[0]?.rows ?? '[]'}}`)
})
console.log(`ready at ${await app.listen({ port: 0, host: '127.0.0.1' })}`)
