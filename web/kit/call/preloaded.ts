// Preloaded: responses requested before the code that needs them has loaded. Each is handed out once, to an identical request.
import type { CallRequest } from './request.ts'

const answers = new Map<string, Promise<Response>>()

const keyOf = ({ address, method, headers, body }: CallRequest) => JSON.stringify([method, address, headers, body])

export function preload(request: CallRequest) {
  const answer = fetch(request.address, request)
  // A failure is reported to the caller of `takePreloaded` by the promise itself.
  answer.catch(() => undefined)
  answers.set(keyOf(request), answer)
}

/** Undefined if it was not requested ahead. */
export function takePreloaded(request: CallRequest): Promise<Response> | undefined {
  if (answers.size === 0) return undefined
  const key = keyOf(request)
  const answer = answers.get(key)
  answers.delete(key)
  return answer
}

/** What has not been used by now would be outdated later. */
export const forgetPreloaded = () => answers.clear()
