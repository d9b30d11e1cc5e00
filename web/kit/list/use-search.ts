// useSearch: the search above a list. Half a second after the last key the loaded rows are searched, tolerating typing errors; if
// none of them matches, or others might, the server searches automatically. Enter searches on the server at once. Either way the text
// stands in the address, for a reload, for Back, for links and for the file of the list.
import { useEffect, useMemo, useRef, useState } from 'react'
import { constants } from '#contract/constants.ts'
import { fuzzy, isSearchable, loadFuse } from './fuzzy.ts'
import type { ListAddress } from './list-address.ts'

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
  asked: Pick<ListAddress, 'q' | 'find'>
  /** `byItself`: not triggered by the user, so it should not add an entry to the history. */
  ask: (change: Partial<Pick<ListAddress, 'q' | 'find'>>, byItself: boolean) => void
  loading: boolean
}

/** The loaded rows are the result for `q`, so they can only be searched for a longer text that starts with it. */
const narrows = (typed: string, q: string) => typed.toLowerCase().startsWith(q.toLowerCase())

export function useSearch<R>({ rows, key, asked: { q, find }, ask, loading }: SearchOf<R>): ListSearch<R> {
  const given = find || q
  const [typed, setTyped] = useState(given)
  const [settled, setSettled] = useState(given)
  const [Fuse, setFuse] = useState<Awaited<ReturnType<typeof loadFuse>>>()
  const lastSent = useRef(given)
  useEffect(() => {
    // If the address was changed by this search itself, what has been typed since must stay.
    if (lastSent.current === given) return
    lastSent.current = given
    setTyped(given)
    setSettled(given)
  }, [given])
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
    ask({ q: word }, byItself)
  }
  // A text that is too short shows all rows, not those of an earlier, longer search.
  const word = isSearchable(settled) ? settled : ''
  const elsewhere = settled !== q && !here && word !== q
  const nothingHere = found?.length === 0
  // Undefined while it is not known where the text is found.
  const foundHere = !here ? '' : found ? settled : undefined
  useEffect(() => {
    if (loading) return
    if (elsewhere || nothingHere) return send(word, true)
    if (foundHere === undefined || foundHere === find) return
    lastSent.current = foundHere || q
    ask({ find: foundHere }, true)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once per settled text, not on every render
  }, [elsewhere, nothingHere, loading, word, foundHere])
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
