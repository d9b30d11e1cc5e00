// Send: streams a file to the client while it is made.
import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** What a `download` handler returns. It is made while it is read: memory does not grow with the file. */
export interface FileAnswer {
  file_name: string
  content_type: string
  content: Readable
}

/** Instead of a file that takes long: the record of the run that makes it, answered with 202. */
export class StartedRun {
  readonly record: object
  constructor(record: object) {
    this.record = record
  }
}

/** A name that is valid on every system. */
export const typedFileName = (file_name: string) => file_name.replace(/[^\w.-]+/g, '-')

export function sendFile(reply: FastifyReply, { file_name, content_type, content }: FileAnswer) {
  reply.header('content-disposition', `attachment; filename="${typedFileName(file_name)}"`)
  return reply.type(content_type).send(content)
}
