// Refused: how tests say why a call is refused: its status, its sentence, and the sentences of each field that it names, all of them. A
// status alone would be answered for many another reason, too. What refuses in the product says the reason in tests:
// `expectRefused(await foyer.ask(rooms.get, { id }, neighbour), notFound())`.
import { expect, vi } from 'vitest'
import { refusals } from '#contract/errors.ts'

/** In full, or its pattern where a time, a code or another number of the moment stands in it. */
type Sentence = string | RegExp

/** A `Refused` of the product, one of the contract's `refusals`, or one of these with another sentence. */
export interface Reason {
  status: number
  message: Sentence
  errors?: Readonly<Record<string, readonly Sentence[]>> | undefined
  asks?: 'password' | undefined
}

/** What `ask` and `send` of a Foyer answer, what `app.inject` does, and what `answerOf` reads. */
type Answered =
  { status: number; body: unknown } | { status: number; text: string } | { statusCode: number; body: string }

/** Of a page its heading is the sentence. */
const read = (text: string): unknown =>
  text.startsWith('<') ? { message: /<h1[^>]*>([^<]*)</.exec(text)?.[1] } : JSON.parse(text)
const bodyOf = (answer: Answered): unknown => {
  if ('statusCode' in answer) return read(answer.body)
  return 'body' in answer ? answer.body : read(answer.text)
}
const statusOf = (answer: Answered) => ('statusCode' in answer ? answer.statusCode : answer.status)
const matching = (sentence: Sentence): unknown =>
  typeof sentence === 'string' ? sentence : expect.stringMatching(sentence)

/** One of the API's answers, and nothing beside it: no other field is refused. `label` names one of several calls. */
export const expectRefused = vi.defineHelper((answer: Answered | undefined, reason: Reason, label?: string) => {
  if (!answer) throw new Error('nothing was asked: this Foyer has no guests’ pages')
  const { status, message, errors, asks } = reason
  const fields =
    errors && Object.fromEntries(Object.entries(errors).map(([field, of]) => [field, of.map((one) => matching(one))]))
  // The request's id in the log, of what is wrong on our side.
  const { request_id: _, ...said } = bodyOf(answer) as { request_id?: string }
  expect({ status: statusOf(answer), ...said }, label).toEqual({
    status,
    message: matching(message),
    errors: fields,
    asks,
  })
})

/** Of calls that meet: so many succeed, and each of the others is refused for this reason. */
export const expectRefusedBut = vi.defineHelper((succeed: number, answers: readonly Answered[], reason: Reason) => {
  const late = answers.filter((answer) => statusOf(answer) >= 300)
  expect(answers.length - late.length).toBe(succeed)
  for (const answer of late) expectRefused(answer, reason)
})

/** Of `fetch`. */
export const answerOf = async (response: Response) => ({ status: response.status, text: await response.text() })

/** Too much was asked for. */
export const tooMuchOf = (message: Sentence): Reason => ({ ...refusals.tooMany, message })

/** Where too many have failed, also for the right password. */
export const tooManySignIns = tooMuchOf(
  /^Too many sign-ins from here have failed\. You can keep trying where you have signed in before; elsewhere, try again in \d+ minutes\.$/,
)

/** What guests are shown wherever there is nothing for them, whatever the reason. */
export const nothingHere: Reason = { status: 404, message: 'Nothing here' }
