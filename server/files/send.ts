// Send: gives a file to whoever asked while it is made, and lets go of a reader who has stopped reading.
import type { Socket } from 'node:net'
import { finished, type Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** What a `download` handler gives. It is made as it is read: what waits in memory does not grow with the file. */
export interface FileAnswer {
  file_name: string
  content_type: string
  content: Readable
}

/** Whoever takes nothing for so long has gone, or keeps what colleagues wait for. */
const stall_max_ms_of_readers = 60_000

/** @param stall_max_ms for tests, which need not wait a minute. */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { file_name, content_type, content }: FileAnswer,
  stall_max_ms = stall_max_ms_of_readers,
) {
  endWhenStalled(request.raw.socket, reply.raw, stall_max_ms)
  const name = file_name.replace(/[^\w.-]+/g, '-')
  reply.header('content-disposition', `attachment; filename="${name}"`)
  return reply.type(content_type).send(content)
}

/** Looks so often within the time of a stall: a process that was stopped meanwhile counts that as one look. */
const looks = 6

/**
 * Ends the connection when bytes have waited for so long and the system has taken none of them. Time in which we make the
 * next bytes is not the reader's fault, and neither does it help to send us something.
 */
function endWhenStalled(socket: Socket, response: FastifyReply['raw'], stall_max_ms: number) {
  const taken = () => socket.bytesWritten - socket.writableLength
  let [last, idle] = [taken(), 0]
  const watch = setInterval(() => {
    const now = taken()
    idle = response.writableLength > 0 && now === last ? idle + 1 : 0
    last = now
    if (idle >= looks) socket.destroy()
  }, stall_max_ms / looks)
  watch.unref()
  finished(response, () => clearInterval(watch))
}
