// Answers: checks what systems answer over HTTPS, in JSON. Errors name a wrong answer's length alone, since any server may answer.
import type { z } from 'zod'
import { retryAfter } from '#server/outbound/retry-after.ts'
import { NotReached, type OutgoingAnswer, type OutgoingCall } from '#server/outbound/safe-fetch.ts'

/** The system asks us to wait. */
export class AskedToWait extends NotReached {
  override name = 'AskedToWait'
  readonly retry_after_s: number | undefined
  constructor(system: string, retry_after_s: number | undefined) {
    super(`${system} asks us to wait`)
    this.retry_after_s = retry_after_s
  }
}

export const call_limits = {
  answer_bytes_max: 8 * 1024 * 1024,
  redirects_max: 0,
  timeout_ms: 30_000,
} satisfies OutgoingCall

/** @throws {NotReached} unless it is a success */
export function requireSuccess(system: string, { status, headers }: OutgoingAnswer): void {
  if (status === 401 || status === 403) throw new NotReached(`${system} does not accept these credentials`)
  if (status === 429) throw new AskedToWait(system, retryAfter(headers))
  if (status < 200 || status > 299) throw new NotReached(`${system} answers ${status}`)
}

/** The answer, parsed into the shape that its maker documents. */
export function parsedAnswer<T>(system: string, shape: z.ZodType<T>, { body }: Pick<OutgoingAnswer, 'body'>): T {
  const checked = shape.safeParse(jsonIn(body))
  if (!checked.success) throw new NotReached(`its answer, of ${body.length} bytes, is not what ${system} documents`)
  return checked.data
}
function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** The time of the answer by the system's clock, by which its changes are dated; never ahead of ours. */
export function timeOf({ headers }: Pick<OutgoingAnswer, 'headers'>): Date {
  const its = Date.parse(headers.date ?? '')
  return new Date(Math.min(Number.isNaN(its) ? Infinity : its, Date.now()))
}

/** An update with a time ahead of our clock would make all later ones look old. */
export const notInFuture = (at: Date) => new Date(Math.min(at.getTime(), Date.now()))

/**
 * All pages of a list whose pages are numbered. Who leaves while they are read moves others over a page's edge, so that one is never seen:
 * a list of several pages is read twice, and counts where both say the same.
 */
export async function readAllPages<T>(
  read: (page: number) => Promise<{ rows: readonly T[]; total: number }>,
  { idOf, pages_max }: { idOf: (row: T) => string; pages_max: number },
): Promise<T[]> {
  async function once() {
    const found: T[] = []
    for (let page = 1; page <= pages_max; page++) {
      const { rows, total } = await read(page)
      found.push(...rows)
      if (found.length < total && rows.length > 0) continue
      if (new Set(found.map(idOf)).size !== total) throw changed()
      return { found, pages: page }
    }
    throw new NotReached('it has more reservations than Foyer can read')
  }
  const { found, pages } = await once()
  if (pages === 1) return found
  const again = await once()
  const ids = new Set(found.map(idOf))
  if (again.found.length !== found.length || again.found.some((row) => !ids.has(idOf(row)))) throw changed()
  return again.found
}
const changed = () => new NotReached('its list changed while it was read')
