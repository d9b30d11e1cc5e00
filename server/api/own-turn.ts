// Own turn: the turn that a call works in by itself, given back while the call has only to wait.
import { finished } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { Turn } from '#server/turns/turns.ts'

export interface OwnTurn {
  /** For a call that does no more than answer. */
  end(): void
  /** Waits so long without a turn, and takes one anew. So many of one address wait at once, and their accounts one after another. */
  pause(account: string, ms: number): Promise<void>
}

interface Takes {
  work: () => Promise<Turn>
  pause: (account: string) => Promise<Turn>
}

/** Each turn ends at the latest when the answer is sent, or when nobody is there to take it. */
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
