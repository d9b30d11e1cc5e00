// OAuth return: a person comes back from a provider with `code` and `state` in the address. They are sent once, and removed from the
// address at the same time, so that neither a reload nor Back sends them again.
import { useEffect, useState } from 'react'
import { sentenceOf } from '#web/kit/call/call.ts'
import { invalidateOthers } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { go } from '#web/kit/navigation/go.ts'
import { useScreenSearch } from '#web/kit/navigation/screen-search.ts'
import { one } from '#web/kit/navigation/search-params.ts'

export interface Authorization {
  code: string
  state: string
}
export interface Connected {
  name: string | null
  /** What is opened then; absent: the screen stays. */
  to?: string
}

/** States that have been sent, as React may run effects twice. */
const sentStates = new Set<string>()

/**
 * @param at the screen's address without them; undefined while it is not known yet
 * @param finish sends them, and answers what is connected now
 * @returns `finished` counts the returns, so that lists of connections are reloaded
 */
export function useOAuthReturn(
  at: string | undefined,
  finish: (authorization: Authorization) => Promise<Connected>,
): { finishing: boolean; problem: string | undefined; finished: number } {
  const search = useScreenSearch()
  const [code, state] = [one(search['code']), one(search['state'])]
  const [finishing, setFinishing] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [finished, setFinished] = useState(0)
  useEffect(() => {
    if (code === undefined || state === undefined || at === undefined || sentStates.has(state)) return
    sentStates.add(state)
    setFinishing(true)
    setProblem(undefined)
    go(at, { replace: true })
    finish({ code, state })
      .then(
        ({ name, to }) => {
          notify.success(name === null ? 'Connected' : `${name} is connected`)
          invalidateOthers()
          if (to !== undefined) go(to, { replace: true })
        },
        (error: unknown) => setProblem(sentenceOf(error)),
      )
      .finally(() => {
        setFinishing(false)
        setFinished((count) => count + 1)
      })
  }, [code, state, at, finish])
  return { finishing, problem, finished }
}
