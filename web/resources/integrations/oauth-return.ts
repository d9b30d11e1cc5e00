// OAuth return: the user returns from a provider with `code` and `state` in the address. They are sent once, and removed from the
// address at the same time, so that neither a reload nor Back sends them again.
import { useEffect, useState } from 'react'
import * as accounting from '#contract/accounting-integrations.ts'
import * as marketing from '#contract/marketing-integrations.ts'
import { call, sentenceOf } from '#web/kit/call/call.ts'
import { forgetLists, invalidateOthers } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { go } from '#web/kit/navigation/go.ts'
import { useScreenSearch } from '#web/kit/navigation/screen-search.ts'
import { one } from '#web/kit/navigation/search-params.ts'
import { to } from '#web/paths.ts'
import { useSession } from '#web/session/session.ts'

interface Authorization {
  code: string
  state: string
}

/** States that have been sent, as React may run effects twice. */
const sentStates = new Set<string>()

/** The state begins with the kind of connection, followed by a dot. */
const finish = (authorization: Authorization) =>
  authorization.state.startsWith('marketing.')
    ? call(marketing.create, authorization)
    : call(accounting.create, authorization)

/** `finished` counts the returns, so that lists of connections are reloaded. */
export function useOAuthReturn(): { finishing: boolean; problem: string | undefined; finished: number } {
  const search = useScreenSearch()
  const { user } = useSession()
  const [code, state] = [one(search['code']), one(search['state'])]
  const [finishing, setFinishing] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [finished, setFinished] = useState(0)
  const user_id = user?.id
  useEffect(() => {
    if (code === undefined || state === undefined || user_id === undefined || sentStates.has(state)) return
    sentStates.add(state)
    setFinishing(true)
    setProblem(undefined)
    go(to.userProfile(user_id, 'integrations'), { replace: true })
    finish({ code, state })
      .then(
        ({ name }) => {
          notify.success(name === null ? 'Connected' : `${name} is connected`)
          forgetLists(accounting.list.path)
          invalidateOthers()
        },
        (error: unknown) => setProblem(sentenceOf(error)),
      )
      .finally(() => {
        setFinishing(false)
        setFinished((count) => count + 1)
      })
  }, [code, state, user_id])
  return { finishing, problem, finished }
}
