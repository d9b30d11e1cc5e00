// Pictures: the pictures that customers show their guests, public, on the guests' origin, and with headers that let nothing run.
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { notFound } from '#server/errors/refused.ts'
import type { Services } from '#server/services.ts'

interface Found {
  customer_id: number
  hash: string
  content_type: string
}

const headers = {
  // Only a picture, whatever a browser might take its bytes for, and harmless if it is opened by itself.
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'content-disposition': 'inline',
  // Every picture has its own address.
  'cache-control': 'public, max-age=31536000, immutable',
  // The admin app shows it, from its own origin.
  'cross-origin-resource-policy': 'cross-origin',
}

export function servePictures(app: FastifyInstance, { guestDoors, storage }: Pick<Services, 'guestDoors' | 'storage'>) {
  const find = async (public_id: string) => {
    const [found] = await guestDoors.callFunction(sql<Found>`select * from door_picture(${public_id})`)
    return found
  }

  app.get<{ Params: { public_id: string } }>('/pictures/:public_id', async (request, reply) => {
    const found = await find(request.params.public_id)
    const file = found && (await storage.read(found.customer_id, found.hash))
    if (!file) throw notFound()
    return reply
      .headers({ ...headers, 'content-length': file.byte_size })
      .type(found.content_type)
      .send(file.content)
  })
}
