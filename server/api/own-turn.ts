// Own turn: the turn in which a call does its own work, given back while the call only waits.
import { finished } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { Turn } from '#server/turns/turns.ts'

export interface OwnTurn {
  /** For a call that does no more than answer. */
  end(): void
  /** Gives the turn back, waits, and takes a turn again. Pauses are limited for each address, and queue for each account. */
  pause(account: string, ms: number): Promise<void>
}

interface Takes {
  work: () => Promise<Turn>
  pause: (account: string) => Promise<Turn>
}

/** Each turn ends at the latest when the answer is sent or the client has gone. */
export async function takeOwnTurn({ raw }: FastifyReply, take: Takes): Promise<OwnTurn> {
  const begin = async () => {
    const turn = await take.work()
    finished(raw, turn.end)
    return turn
  }
  let turn = await begin()
  return {
    end: () => turn.end(),
    async pause(account, ms) {
      turn.end()
      const gone = new AbortController()
      const forget = finished(raw, () => gone.abort())
      try {
        using _place = await take.pause(account)
        await sleep(ms, undefined, { signal: gone.signal })
      } finally {
        forget()
      }
      turn = await begin()
    },
  }
}
