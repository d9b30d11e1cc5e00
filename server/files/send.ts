// Send: streams a file to the client while it is made, under a name that every system can keep.
import type { Readable } from 'node:stream'
import { create } from 'content-disposition'
import type { FastifyReply } from 'fastify'
import filenamify from 'filenamify'

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

/** Control characters and marks that nobody sees or that turn a name round; not the joiners, which some scripts are written with. */
const unseen = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu
/** Usual file systems allow 255, and a name may get a number in front. */
const bytes_max = 200
const fallback = 'file'

/** A name that is valid on every system, in whatever script it was typed. */
export function typedFileName(file_name: string): string {
  const cleaned = file_name
    .normalize('NFC')
    .replace(unseen, '')
    .replace(/[\s/\\]+/g, '-')
  const [ending = ''] = /\.\w{1,5}$/.exec(cleaned) ?? []
  const name = filenamify(cleaned.slice(0, cleaned.length - ending.length), { replacement: '-', maxLength: bytes_max })
  return shortened(name.replace(/^[-_.]+/, ''), bytes_max - ending.length) + ending
}

/** Whole characters, as people see them, in at most so many bytes of UTF-8. */
function shortened(text: string, max: number): string {
  let kept = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (Buffer.byteLength(kept + segment) > max) break
    kept += segment
  }
  return kept || fallback
}

export function sendFile(reply: FastifyReply, { file_name, content_type, content }: FileAnswer) {
  reply.header('content-disposition', create(typedFileName(file_name)))
  return reply.type(content_type).send(content)
}
