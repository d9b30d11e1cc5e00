// Turns: parties and their members take turns, none takes everything, and no wait is endless.
import { expect, test } from 'vitest'
import { refusals } from '#contract/errors.ts'
import { atOnce, Turns, type Share, type Turn } from '#server/turns/turns.ts'

const share: Share = {
  running_max: 3,
  party_running_max: 2,
  party_waiting_max: 8,
  member_waiting_max: 5,
  wait_max_ms: 60_000,
}

/** Asks for turns, and records who gets one, in order. */
function asking(turns: Turns) {
  const got: string[] = []
  const held = new Map<string, Turn>()
  const refused: { name: string; status: unknown; retry_after_s: unknown }[] = []
  const ask = async (name: string) => {
    const [party = '', member = ''] = name.split(' ')
    try {
      held.set(name, await turns.take(party, member))
      got.push(name)
    } catch (error) {
      const { status, retry_after_s } = error as { status?: number; retry_after_s?: number }
      refused.push({ name, status, retry_after_s })
    }
  }
  const end = async (name: string) => {
    held.get(name)?.end()
    await settled()
  }
  return { got, refused, ask, end }
}
/** Lets pending promises settle. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('a party never takes everything, so that another begins at once', async () => {
  const { got, ask } = asking(new Turns(share))
  for (const name of ['loud a1', 'loud a2', 'loud a3', 'loud a4']) void ask(name)
  await settled()
  expect(got).toEqual(['loud a1', 'loud a2'])
  void ask('quiet b1')
  await settled()
  expect(got).toEqual(['loud a1', 'loud a2', 'quiet b1'])
})

test('a free turn goes to the next party, however many another has waiting', async () => {
  const { got, ask, end } = asking(new Turns({ ...share, running_max: 2, party_running_max: 2 }))
  for (const name of ['loud a1', 'loud a2', 'loud a3', 'loud a4', 'quiet b1', 'still c1']) void ask(name)
  await settled()
  await end('loud a1')
  await end('loud a2')
  expect(got).toEqual(['loud a1', 'loud a2', 'loud a3', 'quiet b1'])
  await end('quiet b1')
  await end('loud a3')
  expect(got.slice(4)).toEqual(['still c1', 'loud a4'])
})

test('within a party its members take turns', async () => {
  const { got, ask, end } = asking(new Turns({ ...share, running_max: 1, party_running_max: 1 }))
  for (const name of ['house key', 'house key', 'house key', 'house key', 'house desk']) void ask(name)
  await settled()
  await end('house key')
  await end('house key')
  expect(got).toEqual(['house key', 'house key', 'house desk'])
})

test('too many of one member, or of one party, are refused; others are not', async () => {
  const { got, refused, ask } = asking(new Turns(share))
  for (let asked = 0; asked < 8; asked++) void ask('loud key')
  await settled()
  const tooMany = { status: 429, retry_after_s: 2 }
  expect(refused).toEqual([{ name: 'loud key', ...tooMany }])
  for (let asked = 0; asked < 4; asked++) void ask('loud desk')
  await settled()
  expect(refused).toEqual([
    { name: 'loud key', ...tooMany },
    { name: 'loud desk', ...tooMany },
  ])
  await ask('quiet desk')
  expect(got).toContain('quiet desk')
})

test('who asks for too much is not told of attempts, unless these are attempts to sign in', async () => {
  const sentence = async (of_guesses: boolean) => {
    const turns = new Turns({ ...share, of_guesses, member_waiting_max: 0, running_max: 1, party_running_max: 1 })
    await turns.take('house', 'key')
    const refusal: unknown = await turns.take('house', 'key').catch((error: unknown) => error)
    return (refusal as Error).message
  }
  expect(await sentence(false)).toBe('Too many requests were sent at once. Please wait a moment and try again.')
  expect(await sentence(true)).toBe('Too many attempts. Please wait a moment and try again.')
})

test('a wait is limited: 429 if the party has its whole share running, 503 if it waits for others', async () => {
  const turns = new Turns({ ...share, running_max: 2, party_running_max: 2, wait_max_ms: 20 })
  const { got, refused, ask, end } = asking(turns)
  for (const name of ['loud a1', 'loud a2', 'loud a3', 'quiet b1']) void ask(name)
  await expect.poll(() => refused).toHaveLength(2)
  expect(refused.toSorted((one, other) => one.name.localeCompare(other.name))).toEqual([
    { name: 'loud a3', status: 429, retry_after_s: 2 },
    { name: 'quiet b1', status: 503, retry_after_s: 2 },
  ])
  // A request that has given up does not get the free turn.
  await end('loud a1')
  await ask('late c1')
  expect(got).toEqual(['loud a1', 'loud a2', 'late c1'])
})

test('a party with less than its share running waits for others: 503', async () => {
  const { refused, ask } = asking(new Turns({ ...share, running_max: 2, party_running_max: 2, wait_max_ms: 20 }))
  for (const name of ['one a1', 'two b1', 'one a2']) void ask(name)
  await expect.poll(() => refused).toEqual([{ name: 'one a2', status: 503, retry_after_s: 2 }])
})

test('a request without a party waits for others: 503, first come, first served', async () => {
  const turns = new Turns({ ...atOnce(1), wait_max_ms: 20 })
  const first = await turns.take()
  const waited = await Promise.allSettled([turns.take(), turns.take()])
  expect(waited).toMatchObject([{ reason: refusals.unavailable }, { reason: refusals.unavailable }])
  const order: string[] = []
  const note = (name: string) => turns.take().then((turn) => [order.push(name), turn.end()])
  const later = [note('one'), note('two')]
  first.end()
  await Promise.all(later)
  expect(order).toEqual(['one', 'two'])
})

test('a turn that is ended twice is given back once', async () => {
  const turns = new Turns({ ...share, running_max: 1, party_running_max: 1 })
  const { got, ask, end } = asking(turns)
  void ask('one a')
  await settled()
  await end('one a')
  await end('one a')
  for (const name of ['two a', 'three a']) void ask(name)
  await settled()
  expect(got).toEqual(['one a', 'two a'])
})
