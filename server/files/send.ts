// Send: gives a file to whoever asked, while it is made.
import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** What a `download` handler gives. It is made as it is read: what waits in memory does not grow with the file. */
export interface FileAnswer {
  file_name: string
  content_type: string
  content: Readable
}

/** In place of a file that takes long: the record of who makes it, answered with 202. */
export class Begun {
  readonly record: object
  constructor(record: object) {
    this.record = record
  }
}

/** A name that every system takes. */
export const typedFileName = (file_name: string) => file_name.replace(/[^\w.-]+/g, '-')

export function sendFile(reply: FastifyReply, { file_name, content_type, content }: FileAnswer) {
  reply.header('content-disposition', `attachment; filename="${typedFileName(file_name)}"`)
  return reply.type(content_type).send(content)
}
