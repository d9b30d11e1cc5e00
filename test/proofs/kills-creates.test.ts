// Kills of creates: the real process is killed while it creates records, and its database is killed under load. Acknowledged records
// are stored, repeated requests make no duplicates, and while the database is unavailable the answer is 503.
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { startEmbedded } from '#server/db/embedded.ts'
import { killAll, startFoyer, type Foyer } from '#test/process.ts'
import { chance, full, share } from './proof.ts'

const kills = share(350)
const random = chance()
/** Concurrent creates at each kill. */
const clients = 6
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-crash-'))

afterAll(() => {
  killAll()
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

interface Answer {
  status: number
  retry_after: string | null
  body: { data?: unknown; meta?: { next_cursor: string | null } }
}

/** Null if the process died before it answered. */
async function ask(foyer: Foyer, call: string, body: object, headers: Record<string, string>): Promise<Answer | null> {
  try {
    const response = await fetch(`${foyer.url}/api/v1${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'app-context': 'customer', ...headers },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as Answer['body']
    return { status: response.status, retry_after: response.headers.get('retry-after'), body: answer }
  } catch {
    return null
  }
}

async function signUp(foyer: Foyer): Promise<{ authorization: string }> {
  const person = { company_name: 'Operator', name: 'Ann', email: 'ann@example.com', password: 'a long enough password' }
  const answer = await ask(foyer, '/auth/signup', person, {})
  if (!answer) throw new Error('the sign-up was not answered')
  const { access_token } = answer.body.data as { access_token: string }
  return { authorization: `Bearer ${access_token}` }
}

/** The creates of all clients over all kills. */
function ledger(signedIn: Record<string, string>) {
  const acknowledged = new Map<string, number>()
  const unanswered = new Map<string, string>()

  async function create(foyer: Foyer, name: string, key: string): Promise<Answer | null> {
    const answer = await ask(
      foyer,
      '/properties-create',
      { name, draft: true },
      { ...signedIn, 'idempotency-key': key },
    )
    if (answer?.status === 201) {
      acknowledged.set(name, (answer.body.data as { id: number }).id)
      unanswered.delete(name)
    } else unanswered.set(name, key)
    return answer
  }

  return {
    acknowledged,
    /** Creates one record after the other until the process is gone or `until` is true; calls `onAnswer` with each answer. */
    async keepCreating(foyer: Foyer, until = () => false, onAnswer = async (_: Answer) => {}) {
      while (!until()) {
        const answer = await create(foyer, `Property ${randomUUID()}`, randomUUID())
        if (answer === null) return
        await onAnswer(answer)
      }
    },
    async repeatUnanswered(foyer: Foyer) {
      for (const [name, key] of unanswered) expect(await create(foyer, name, key)).toMatchObject({ status: 201 })
    },
    /** Checks that exactly the acknowledged records are stored, once each and under the acknowledged ids. */
    async holds(foyer: Foyer) {
      const stored: [string, number][] = []
      let cursor: string | null = null
      do {
        const page: Answer | null = await ask(foyer, '/properties', { per_page: 200, cursor }, signedIn)
        if (!page) throw new Error('a list was not answered')
        for (const { name, id } of page.body.data as { name: string; id: number }[]) stored.push([name, id])
        cursor = page.body.meta?.next_cursor ?? null
      } while (cursor !== null)
      const inOrder = (entries: Iterable<[string, number]>) => [...entries].map(String).toSorted()
      expect(inOrder(stored)).toEqual(inOrder(acknowledged))
    },
  }
}

test(
  'a process killed while it creates records loses none and duplicates none',
  { timeout: 3 * 3_600_000 },
  async ({ task }) => {
    const settings = { DATA_DIR: path.join(scratch, 'killed') }
    let foyer = await startFoyer(settings)
    const creates = ledger(await signUp(foyer))
    for (let killed = 0; killed < kills; killed++) {
      const busy = Array.from({ length: clients }, () => creates.keepCreating(foyer))
      await sleep(10 + random() * 120)
      await foyer.kill()
      await Promise.all(busy)
      foyer = await startFoyer(settings)
      await creates.repeatUnanswered(foyer)
    }
    expect(creates.acknowledged.size).toBeGreaterThan(full ? kills * clients : 0)
    await creates.holds(foyer)
    task.meta.figures = `${kills} kills, ${creates.acknowledged.size} creates acknowledged`
    await foyer.kill()
  },
)

test(
  'while the database restarts under load refusals are 503, and service resumes within seconds',
  { timeout: 300_000 },
  async ({ task }) => {
    const directory = path.join(scratch, 'restarted')
    const database = await startEmbedded({ directory })
    const foyer = await startFoyer({
      DATABASE_URL: new URL('/foyer', database.url).href,
      SECRET_KEY: 'the key of a test that ends its database',
      DATA_DIR: path.join(scratch, 'node'),
    })
    const signedIn = await signUp(foyer)
    const creates = ledger(signedIn)
    const answers: { at: number; status: number; retry_after: string | null }[] = []
    const onAnswer = async ({ status, retry_after }: Answer) => {
      answers.push({ at: Date.now(), status, retry_after })
      // Keeps all clients together below the limit of 1,200 requests a minute for each token.
      await sleep(320)
    }
    const time = new AbortController()
    const busy = Array.from({ length: clients }, async (_, index) => {
      if (index % 2 === 0) return creates.keepCreating(foyer, () => time.signal.aborted, onAnswer)
      while (!time.signal.aborted)
        await onAnswer((await ask(foyer, '/properties', {}, signedIn)) ?? { status: 0, retry_after: null, body: {} })
    })

    const answersSince = (moment: number) => answers.filter(({ at }) => at > moment)
    const until = async (condition: () => boolean) => {
      await expect.poll(condition, { timeout: 120_000 }).toBe(true)
    }
    await until(() => answers.length > 3 * clients)
    const killed_at = Date.now()
    // The signal of `pg_ctl stop -m immediate`; the process that supervises the database starts it again.
    process.kill(Number.parseInt(fs.readFileSync(path.join(directory, 'pg18/postmaster.pid'), 'utf8')), 'SIGQUIT')
    await until(() => answers.some(({ status }) => status === 503))
    expect((await fetch(`${foyer.url}/healthz`)).status).toBe(200)
    // Waits until many answers in a row are not refusals.
    const lastRefusal = () => Math.max(...answers.filter(({ status }) => status === 503).map(({ at }) => at))
    await until(() => answersSince(lastRefusal()).length > 10 * clients)
    time.abort()
    await Promise.all(busy)

    const refused = answers.filter(({ status }) => status !== 200 && status !== 201)
    expect(refused.length).toBeGreaterThan(0)
    expect([...new Set(refused.map(({ status }) => status))]).toEqual([503])
    expect(refused.every(({ retry_after }) => Number(retry_after) > 0)).toBe(true)
    expect((await fetch(`${foyer.url}/readyz`)).status).toBe(200)

    await creates.repeatUnanswered(foyer)
    await creates.holds(foyer)
    const away_ms = lastRefusal() - killed_at
    task.meta.figures = `${refused.length} of ${answers.length} answers were 503, the last ${away_ms} ms after the kill`
    // Only the full proof runs on an otherwise idle machine.
    if (full) expect(away_ms).toBeLessThan(5000)
    await foyer.kill()
    await database.stop()
  },
)
