// Stalled readers: clients that have stopped reading an answer are dropped, whatever the answer is: a file of the API, a page for
// guests, a part of the admin app. Otherwise connections and their buffers would be kept for ever.
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** A client that reads nothing for this long has gone, or is blocking resources that others wait for. */
export const stall_max_ms_of_readers = 60_000
/** Checks within the time of a stall. If this process was suspended meanwhile, that counts as one check only. */
const looks = 6

interface Answering {
  /** With several answers on one connection, those after the first have no socket of their own yet. */
  socket: Socket
  response: FastifyReply['raw']
  taken: number
  idle: number
}

/**
 * Closes a connection when bytes have waited in it for `stall_max_ms` and the system has taken none of them. The time in which we
 * make the next bytes does not count, and sending us something does not help. To be called before any route is added.
 */
export function dropStalledReaders(app: FastifyInstance, stall_max_ms = stall_max_ms_of_readers) {
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
