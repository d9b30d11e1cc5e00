// useSearch: the search above a list. Half a second after the last key the loaded rows are searched, tolerating typing errors; if
// none of them matches, or others might, the server searches automatically. Enter searches on the server at once.
import { useEffect, useMemo, useRef, useState } from 'react'
import { constants } from '#contract/constants.ts'
import { fuzzy, isSearchable, loadFuse } from './fuzzy.ts'

export interface ListSearch<R> {
  typed: string
  type: (text: string) => void
  submit: () => void
  /** The loaded rows that match the typed text; undefined unless the browser searches. */
  found: R[] | undefined
}

interface SearchOf<R> {
  rows: R[]
  key: string
  /** The text that the server searched for. */
  q: string
  /** `byItself`: not triggered by the user, so it should not add an entry to the history. */
  ask: (q: string, byItself: boolean) => void
  loading: boolean
}

/** The loaded rows are the result for `q`, so they can only be searched for a longer text that starts with it. */
const narrows = (typed: string, q: string) => typed.toLowerCase().startsWith(q.toLowerCase())

export function useSearch<R>({ rows, key, q, ask, loading }: SearchOf<R>): ListSearch<R> {
  const [typed, setTyped] = useState(q)
  const [settled, setSettled] = useState(q)
  const [Fuse, setFuse] = useState<Awaited<ReturnType<typeof loadFuse>>>()
  const lastSent = useRef(q)
  useEffect(() => {
    // If the address was changed by this search itself, what has been typed since must stay.
    if (lastSent.current === q) return
    lastSent.current = q
    setTyped(q)
    setSettled(q)
  }, [q])
  const text = typed.trim()
  useEffect(() => {
    if (text === settled) return
    const timer = setTimeout(() => setSettled(text), constants.search.debounce_ms)
    return () => clearTimeout(timer)
  }, [text, settled])
  const here = settled !== q && isSearchable(settled) && narrows(settled, q)
  useEffect(() => {
    if (!here || Fuse) return
    // Offline, typing does not search; Enter still queries the server, which shows the error.
    loadFuse().then(
      (loaded) => setFuse(() => loaded),
      () => undefined,
    )
  }, [here, Fuse])
  const found = useMemo(
    () => (here && Fuse ? fuzzy(Fuse, rows, settled, key) : undefined),
    [Fuse, here, key, rows, settled],
  )
  const send = (word: string, byItself: boolean) => {
    lastSent.current = word
    ask(word, byItself)
  }
  // A text that is too short shows all rows, not those of an earlier, longer search.
  const word = isSearchable(settled) ? settled : ''
  const elsewhere = settled !== q && !here && word !== q
  const nothingHere = found?.length === 0
  useEffect(() => {
    if (!loading && (elsewhere || nothingHere)) send(word, true)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once per settled text, not on every render
  }, [elsewhere, nothingHere, loading, word])
  return {
    typed,
    type: setTyped,
    submit: () => {
      setSettled(text)
      if (text !== q) send(text, false)
    },
    found: nothingHere ? undefined : found,
  }
}
