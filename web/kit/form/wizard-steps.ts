// Wizard steps: the open step, in the address: `?step=2`. Each is an entry of the history, so that Back goes one step back; the
// page after the wizard replaces all of them.
import { useEffect, useLayoutEffect, useState } from 'react'
import { depth, go, goBack, goInPlaceOf, here } from '#web/kit/navigation/go.ts'
import { useScreenSearch } from '#web/kit/navigation/screen-search.ts'
import { one, parseSearch, stringifySearch } from '#web/kit/navigation/search-params.ts'
import { session } from '#web/session/session.ts'
import { draftKey, drafts } from './wizard-draft.ts'
import type { Values } from './form-state.ts'

interface Filled {
  state: 'ready' | 'loading' | 'missing' | 'failed'
  values: Values
  dirty: boolean
  refill: (values: Values) => void
  storable: () => Values
}

function addressOf(step: number): string {
  const [path = '', query = ''] = here().split('?')
  const { step: _step, ...rest } = parseSearch(query)
  return path + stringifySearch({ ...rest, step: step > 0 ? step + 1 : undefined })
}

export interface WizardSteps {
  /** The open step, counted from 0. */
  at: number
  move: (to: number) => void
  /** After saving: deletes the draft; Back then leads to the page before the wizard. */
  finish: (href: string) => void
}

/** `begun`: the step to open unless the address names one. `known`: the furthest step that may be opened right away. */
export function useWizardSteps(
  form: Filled,
  count: number,
  { begun, known }: { begun: number; known: number },
): WizardSteps {
  const { values, dirty, refill, storable } = form
  const named = one(useScreenSearch()['step'])
  const [arriving, setArriving] = useState(named === undefined && begun > 0)
  const asked = arriving ? begun : Number(named ?? 1) - 1
  const [key] = useState(draftKey)
  const [kept] = useState(() => drafts.read(key))
  const [reached, setReached] = useState(Math.min(Math.max(kept?.reached ?? 0, known), count - 1))
  const at = Number.isInteger(asked) ? Math.max(0, Math.min(asked, reached)) : 0
  // After a new sign-in, the wizard is at another place in the history.
  const [start_depth] = useState(() => (kept && kept.depth + at === depth() ? kept.depth : depth()))

  const ready = form.state === 'ready'
  useLayoutEffect(() => {
    if (kept && ready) refill(kept.values)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, before the form's first render is visible
  }, [ready])
  // From then on the address determines the step; the first one has no `step` in it.
  useEffect(() => {
    if (!arriving) return
    if (named === undefined) go(addressOf(begun), { replace: true })
    else setArriving(false)
  }, [arriving, named, begun])
  // A step that has not been reached yet cannot be opened by its address.
  useEffect(() => {
    if (asked !== at) go(addressOf(at), { replace: true })
  }, [asked, at])
  useEffect(() => {
    if (dirty) drafts.write(key, { values: storable(), reached, depth: start_depth })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what is stored follows the values
  }, [key, values, dirty, reached, start_depth])
  useEffect(
    () => () => {
      // If the session has expired, the draft is kept for the next sign-in.
      if (session.get().token !== null) drafts.clear(key)
    },
    [key],
  )

  return {
    at,
    move: (to) => {
      if (to > at) {
        setReached(Math.max(reached, to))
        go(addressOf(to))
      } else if (depth() - start_depth === at) goBack(at - to)
      else go(addressOf(to), { replace: true })
    },
    finish: (href) => {
      drafts.clear(key)
      goInPlaceOf(start_depth, href)
    },
  }
}
