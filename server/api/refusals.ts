// Refusals: the one error handler. Every error becomes one of the API's refusals, and nothing internal is shown.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { refusals, sendMultipart } from '#contract/errors.ts'
import { isOfLostDatabase } from '#server/errors/lost-database.ts'
import { Refused } from '#server/errors/refused.ts'
import { textOf } from '#server/errors/thrown.ts'
import { logTrouble, referenceOf } from '#server/api/access-log.ts'
import { uniqueSentences } from '#server/entities/unique.ts'

const unavailable = new Set([
  '57014', '55P03', '40001', '40P01',
  '25P02', '25P03', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN',
  // The machine has run out of something: open files, processes, memory.
  'EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM',
]) // prettier-ignore
/** The disk of the files or of the database is full. */
const full = new Set(['ENOSPC', 'EDQUOT', '53100'])
interface DatabaseError extends Error {
  /** A number in a DOMException, such as that of a time limit. */
  code?: string | number
  constraint?: string
}
type Thrown = Partial<Omit<FastifyError, 'code'> & DatabaseError>

/** `takes`: the content type that the route takes. */
export function refusedFor(thrown: unknown, takes?: string): Refused {
  if (thrown instanceof Refused) return thrown
  // Anything can be thrown, and nothing, too.
  const error: Thrown = Object(thrown)
  const code = textOf(error.code ?? '')
  if (full.has(code)) return new Refused('full')
  if (unavailable.has(code) || isOfLostDatabase(thrown)) return new Refused('unavailable', { retry_after_s: 1 })
  if (code === '23505') {
    const errors = uniqueSentences[error.constraint ?? '']
    return errors ? new Refused('invalid', { errors }) : new Refused('clash')
  }
  // Data that passed the contract but that the database cannot store, such as the year 0 in a cursor made by hand.
  if (code.startsWith('22')) return new Refused('invalid', { errors: { body: ['A value is out of range.'] } })
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Refused('tooLarge')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new Refused('unsupported', {
      message: takes === 'multipart' ? sendMultipart : refusals.unsupported.message,
    })
  if (error.statusCode === 400) return new Refused('invalid', { errors: { body: ['This is not valid JSON.'] } })
  return new Refused('broken')
}

export const handleNothing = (_request: FastifyRequest, reply: FastifyReply) =>
  reply.code(refusals.notFound.status).send({ message: refusals.notFound.message })

/** A URL that is malformed or too long is not found. */
export const handleBadAddress = (_error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
  void handleNothing(request, reply)

/** Logs neither field names nor bodies nor tokens. */
export function handleError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  // The client has gone: nobody is there to answer, and a stream that broke off for that reason is no fault.
  if (reply.raw.destroyed) return void reply.hijack()
  const refused = refusedFor(error, request.routeOptions.config?.takes)
  request.asked_again = refused.asks !== undefined
  logTrouble(error, request, refused.status)
  if (refused.retry_after_s !== undefined) reply.header('retry-after', refused.retry_after_s)
  return reply
    .code(refused.status)
    .type('application/json')
    .send({
      message: refused.message,
      ...(refused.errors && { errors: refused.errors }),
      ...(refused.asks && { asks: refused.asks }),
      ...referenceOf(request, refused.status),
    })
}
