// Asked ahead: answers that are on their way before the code that wants them is here. Each is given out once, to the very
// same request.
import type { CallRequest } from './request.ts'

const answers = new Map<string, Promise<Response>>()

const keyOf = ({ address, method, headers, body }: CallRequest) => JSON.stringify([method, address, headers, body])

export function askAhead(request: CallRequest) {
  const answer = fetch(request.address, request)
  // Where nothing came, whoever wants the answer learns it from the promise itself.
  answer.catch(() => undefined)
  answers.set(keyOf(request), answer)
}

/** Undefined where nobody asked for it. */
export function askedAhead(request: CallRequest): Promise<Response> | undefined {
  if (answers.size === 0) return undefined
  const key = keyOf(request)
  const answer = answers.get(key)
  answers.delete(key)
  return answer
}

/** What nobody has wanted until now would be old when somebody does. */
export const forgetAskedAhead = () => answers.clear()
