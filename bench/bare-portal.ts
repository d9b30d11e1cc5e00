// Bare portal: the smallest server that can answer for a portal: Fastify, the same database query, and a prepared page.
import fs from 'node:fs'
import Fastify from 'fastify'
import pg from 'pg'

const page = fs.readFileSync(process.env['PAGE'] ?? '', 'utf8')
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 4 })
const app = Fastify()
app.get<{ Params: { public_id: string } }>('/p/:public_id', async (request, reply) => {
  const { rows } = await pool.query<{ page: string }>({
    name: 'portal',
    text: 'select * from door_portal_shown($1, null)',
    values: [request.params.public_id],
  })
  if (!rows[0]) return reply.code(404).send()
  return reply.type('text/html; charset=utf-8').send(page)
})
console.log(`ready at ${await app.listen({ port: 0, host: '127.0.0.1' })}`)
