// Stalled readers: whoever has stopped reading an answer is let go, whatever the answer is and whoever asked: an API's file, a
// page for guests, a part of the admin app. Else connections and what waits for them would be kept for ever.
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Whoever takes nothing for so long has gone, or keeps what others wait for. */
export const stall_max_ms_of_readers = 60_000
/** Looks so often within the time of a stall: a process that was stopped meanwhile counts that as one look. */
const looks = 6

interface Answering {
  /** Of several answers on one connection, those behind the first have none of their own yet. */
  socket: Socket
  response: FastifyReply['raw']
  taken: number
  idle: number
}

/**
 * Ends a connection when bytes have waited in it for so long and the system has taken none of them. Time in which we make the
 * next bytes is not the reader's fault, and neither does it help to send us something. To be called before any route is added.
 */
export function letGoOfStalledReaders(app: FastifyInstance, stall_max_ms = stall_max_ms_of_readers) {
  const answering = new Set<Answering>()
  app.addHook('onRequest', ({ raw: { socket } }, { raw: response }, done) => {
    const answer = { socket, response, taken: takenBy(socket), idle: 0 }
    answering.add(answer)
    response.once('close', () => answering.delete(answer))
    done()
  })
  const look = () => {
    for (const answer of answering) {
      const { socket, response } = answer
      const taken = takenBy(socket)
      answer.idle = response.writableLength > 0 && taken === answer.taken ? answer.idle + 1 : 0
      answer.taken = taken
      if (answer.idle >= looks) socket.destroy()
      if (socket.destroyed) answering.delete(answer)
    }
  }
  const clock = setInterval(look, stall_max_ms / looks).unref()
  app.addHook('onClose', (_app, done) => {
    clearInterval(clock)
    done()
  })
}

const takenBy = (socket: Socket) => socket.bytesWritten - socket.writableLength
