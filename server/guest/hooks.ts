// Hooks: what properties' systems post to us, on the guests' origin: signed, kept under its id, answered at once and taken in afterwards;
// or unsigned, and then a hint that it is time to ask.
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import { randomBytes } from 'node:crypto'
import { callerOfJob } from '#server/access/principal.ts'
import { logTrouble } from '#server/api/access-log.ts'
import { refusedFor } from '#server/api/refusals.ts'
import { pollOnHint } from '#server/property-systems/polling.ts'
import type { Hook } from '#server/property-systems/kind.ts'
import { systemOf } from '#server/property-systems/kinds.ts'
import { keepMessage } from '#server/property-systems/messages.ts'
import { interfaceAt } from '#server/property-systems/interface-settings.ts'
import { webhook } from '#server/property-systems/webhook/kind.ts'
import type { Services } from '#server/services.ts'

/** A list of some ten thousand stays. */
const bytes_max = 6 * 1024 * 1024
const id_chars_max = 200
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Of nobody: an unknown address takes as long as a known one. */
const nobody = { signing_secret: `whsec_${randomBytes(32).toString('base64')}` }

export function serveHooks(
  app: FastifyInstance,
  services: Pick<Services, 'seal' | 'tenancy' | 'guestDoors' | 'queue'>,
) {
  void app.register(async (hooks) => {
    hooks.removeAllContentTypeParsers()
    hooks.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bytes_max }, (_request, body, done) =>
      done(null, body),
    )
    hooks.setErrorHandler((error: FastifyError, request, reply) => {
      const refused = refusedFor(error)
      logTrouble(error, request, refused.status)
      if (refused.retry_after_s !== undefined) reply.header('retry-after', refused.retry_after_s)
      return reply.code(refused.status).send({ message: refused.message })
    })
    hooks.post<{ Params: { uuid: string } }>('/hooks/:uuid', { bodyLimit: bytes_max }, async (request, reply) => {
      const { body, headers } = request
      const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
      const sent = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
      )
      const found = uuid.test(request.params.uuid) ? await interfaceAt(services, request.params.uuid) : undefined
      const system = found && systemOf(found.type_id)
      // Nothing of it is believed: the address is the secret, and the system is asked again.
      if (found && system?.polling?.hints) {
        const caller = callerOfJob(found.customer_id, 'property system')
        await services.tenancy.enter(caller, 'write', (scope) => pollOnHint(scope, services.queue, found.id))
        return reply.code(202).send({})
      }
      const hook: Hook | undefined = system?.hook
      const settings = found && hook ? found.settings : nobody
      const isGenuine = (hook ?? webhook.hook)?.isGenuine(bytes, sent, settings) === true
      if (!found || !hook || !isGenuine) return refuse(reply)
      const message_id = hook.messageId(sent)
      if (message_id.length > id_chars_max) return refuse(reply)
      const told = jsonIn(bytes)
      const read = hook.read(told)
      if ('errors' in read) return reply.code(422).send({ message: 'The given data was invalid.', errors: read.errors })
      if (!(await keepMessage(services, found, { message_id, body: told }))) return comeAgain(reply)
      return reply.code(202).send({})
    })
  })
}

/** The same for an address that nobody has, and for a signature that is wrong, old or absent. */
const refuse = (reply: FastifyReply) => reply.code(401).send({ message: 'This is not signed as it should be.' })

const again_after_s = 300
const comeAgain = (reply: FastifyReply) =>
  reply
    .code(503)
    .header('retry-after', again_after_s)
    .send({
      message:
        'This interface does not belong to exactly one property at present, so it is not known whose stays these are. ' +
        'Send it again later.',
    })

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return null
  }
}
