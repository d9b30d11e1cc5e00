// Return: somebody comes back from a provider with `code` and `state` in the address. They are handed in once, and leave the
// address at the same time, so that neither a reload nor Back hands them in again.
import { useEffect, useState } from 'react'
import * as accounting from '#contract/accounting-integrations.ts'
import * as marketing from '#contract/marketing-integrations.ts'
import { call, sentenceOf } from '#web/kit/call/call.ts'
import { forgetLists, staleOthers } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { go } from '#web/kit/navigation/go.ts'
import { useScreenSearch } from '#web/kit/navigation/screen-search.ts'
import { one } from '#web/kit/navigation/search-params.ts'
import { to } from '#web/paths.ts'
import { useSession } from '#web/session/session.ts'

interface Walk {
  code: string
  state: string
}

/** Those that have been handed in: a screen may be drawn twice. */
const handedIn = new Set<string>()

/** What it is for stands before the dot of the state. */
const finish = (walk: Walk) =>
  walk.state.startsWith('marketing.') ? call(marketing.create, walk) : call(accounting.create, walk)

/** `came` counts: whoever shows connections shows them anew. */
export function useReturn(): { coming: boolean; problem: string | undefined; came: number } {
  const search = useScreenSearch()
  const { user } = useSession()
  const [code, state] = [one(search['code']), one(search['state'])]
  const [waiting, setWaiting] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [came, setCame] = useState(0)
  const user_id = user?.id
  useEffect(() => {
    if (code === undefined || state === undefined || user_id === undefined || handedIn.has(state)) return
    handedIn.add(state)
    setWaiting(true)
    setProblem(undefined)
    go(to.userProfile(user_id, 'integrations'), { replace: true })
    finish({ code, state })
      .then(
        ({ name }) => {
          notify.success(name === null ? 'Connected' : `${name} is connected`)
          forgetLists(accounting.list.path)
          staleOthers()
        },
        (error: unknown) => setProblem(sentenceOf(error)),
      )
      .finally(() => {
        setWaiting(false)
        setCame((count) => count + 1)
      })
  }, [code, state, user_id])
  return { coming: waiting, problem, came }
}
