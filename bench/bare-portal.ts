// Bare portal: the least that can answer for a portal: Fastify, the same read of the database, and a page that is there already.
import fs from 'node:fs'
import Fastify from 'fastify'
import pg from 'pg'

const page = fs.readFileSync(process.env['PAGE'] ?? '', 'utf8')
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 4 })
const app = Fastify()
app.get<{ Params: { public_id: string } }>('/p/:public_id', async (request, reply) => {
  const { rows } = await pool.query<{ page: string }>({
    name: 'portal',
    text: 'select * from door_portal($1)',
    values: [request.params.public_id],
  })
  if (!rows[0]) return reply.code(404).send()
  return reply.type('text/html; charset=utf-8').send(page)
})
console.log(`ready at ${await app.listen({ port: 0, host: '127.0.0.1' })}`)
