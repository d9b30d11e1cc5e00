// Return: a person comes back from a system with `code` and `state` in the address, sent once and removed from it at the same time, so that
// neither a reload nor Back sends them again.
import { useEffect, useState } from 'react'
import * as interfaces from '#contract/property-interfaces.ts'
import { call, sentenceOf } from '#web/kit/call/call.ts'
import { invalidateOthers } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { go } from '#web/kit/navigation/go.ts'
import { useScreenSearch } from '#web/kit/navigation/screen-search.ts'
import { one } from '#web/kit/navigation/search-params.ts'
import { to } from '#web/paths.ts'

/** States that have been sent, as React may run effects twice. */
const sentStates = new Set<string>()

/** Opens the interface that is connected, or says why none is. */
export function useReturnFromSystem(): { finishing: boolean; problem: string | undefined } {
  const search = useScreenSearch()
  const [code, state] = [one(search['code']), one(search['state'])]
  const [finishing, setFinishing] = useState(false)
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    if (code === undefined || state === undefined || sentStates.has(state)) return
    sentStates.add(state)
    setFinishing(true)
    setProblem(undefined)
    go(to.propertyInterfaces(), { replace: true })
    call(interfaces.connect, { code, state })
      .then(
        ({ id, name }) => {
          notify.success(`${name} is connected`)
          invalidateOthers()
          go(to.propertyInterface(id), { replace: true })
        },
        (error: unknown) => setProblem(sentenceOf(error)),
      )
      .finally(() => setFinishing(false))
  }, [code, state])
  return { finishing, problem }
}
