// useSearch: what is typed above a list. Half a second after the last key the loaded rows are searched, forgiving slips; where
// none of them fits, or more than they could fit, the server is asked by itself. Enter asks it at once.
import { useEffect, useMemo, useRef, useState } from 'react'
import { constants } from '#contract/constants.ts'
import { fuzzy, isSearchable, loadFuse } from './fuzzy.ts'

export interface ListSearch<R> {
  typed: string
  type: (text: string) => void
  submit: () => void
  /** The loaded rows that fit what is typed; undefined while nothing is searched here. */
  found: R[] | undefined
}

interface SearchOf<R> {
  rows: R[]
  key: string
  /** What the server was asked to search for. */
  q: string
  /** `byItself`: nobody pressed anything, so Back should not have to pass it. */
  ask: (q: string, byItself: boolean) => void
  loading: boolean
}

/** The loaded rows answer the former word: they can be searched for a longer one, and for no other. */
const narrows = (typed: string, q: string) => typed.toLowerCase().startsWith(q.toLowerCase())

export function useSearch<R>({ rows, key, q, ask, loading }: SearchOf<R>): ListSearch<R> {
  const [typed, setTyped] = useState(q)
  const [settled, setSettled] = useState(q)
  const [Fuse, setFuse] = useState<Awaited<ReturnType<typeof loadFuse>>>()
  const own = useRef(q)
  useEffect(() => {
    // What came into the address by our own asking must not take away what has been typed since.
    if (own.current === q) return
    own.current = q
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
    // Offline, typing does not search; Enter still asks the server and tells what is wrong.
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
    own.current = word
    ask(word, byItself)
  }
  // Too short a word leaves all rows: those of a longer one that was asked for must not stand below it.
  const word = isSearchable(settled) ? settled : ''
  const elsewhere = settled !== q && !here && word !== q
  const nothingHere = found?.length === 0
  useEffect(() => {
    if (!loading && (elsewhere || nothingHere)) send(word, true)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- asked once for what has settled, not at every drawing
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
