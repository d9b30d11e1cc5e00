// Due work's effects: loaded into a node before it starts, by the proof that kills it within due work. Of what happens outside the process
// (effects.ts) it counts what one piece of work does: from the moment at which it is taken, over each statement and each call to the other
// side, before it leaves and after its answer has come, until its result is stored.
import { AsyncLocalStorage } from 'node:async_hooks'
import http from 'node:http'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import { dueWorks } from '#server/apps/due-work.ts'
import { openPigeons } from '#test/providers/pigeons.ts'
import { countOnly, moment } from './effects.ts'

/** The piece to be killed: the next one of a kind, but for those that are known. */
export interface Sought {
  kind: string
  not: number[]
}
interface Piece extends Sought {
  is_taken: boolean
  /** Its result is being stored, and has been. */
  settles: boolean
  is_over: boolean
}

let sought: Piece | undefined
const own = new AsyncLocalStorage<Piece>()
const settling = /^before (update|delete from) "?due_work\b/

countOnly({
  arm: (what) =>
    (sought =
      what === undefined
        ? undefined
        : { ...(JSON.parse(what) as Sought), is_taken: false, settles: false, is_over: false }),
  isOfInterest(name) {
    const piece = own.getStore()
    if (!piece || piece !== sought || piece.is_over) return false
    piece.settles ||= settling.test(name)
    piece.is_over = piece.settles && /^after commit/i.test(name)
    return true
  },
})

for (const work of dueWorks) {
  const { run } = work
  work.run = (needs, held) => {
    const { about_id } = held
    if (sought && !sought.is_taken && sought.kind === work.kind.name && !sought.not.includes(about_id)) {
      sought.is_taken = true
      // Whoever has called this stores the result, which belongs to it.
      own.enterWith(sought)
      moment(`taken ${about_id}`)
    }
    return run(needs, held)
  }
}

type Request = typeof http.request
for (const module of [http, https]) {
  const { request } = module as { request: Request }
  const counted = ((options: http.RequestOptions, answered: (answer: http.IncomingMessage) => void) => {
    const call = `call ${options.method} ${options.path}`
    moment(`before ${call}`)
    const inPiece = AsyncLocalStorage.snapshot()
    return request(options, (answer) =>
      inPiece(() => {
        moment(`after ${call}`)
        answered(answer)
      }),
    )
  }) as Request
  Object.assign(module, { request: counted })
}
syncBuiltinESMExports()

// A kind of connection, since no release has one that stands in the table of all and nowhere else.
await openPigeons()
