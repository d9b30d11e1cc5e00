// useNewer, useExactTotal: what a list that rests asks besides its pages: whether there is something new, and how many there
// are, which a page counts only so far.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { callKind } from '#web/kit/call/call.ts'
import type { Page } from './list-pages.ts'

const metaOf = async (of: Endpoint, body: object, signal?: AbortSignal) =>
  (await callKind<Page<unknown>>(of, body, { signal })).meta

const look_again_ms = 30_000

/** Rows made since the list was loaded. Asked when one comes back to the window, not by the clock: resting sessions end. */
export function useNewer(of: Endpoint, question: object, since: string | undefined, toldByPages: number): number {
  const [counted, setCounted] = useState({ key: '', newer: 0 })
  const body = JSON.stringify({ ...question, lastFetchedAt: since, per_page: 1 })
  useEffect(() => {
    if (!since) return
    let asked_at = Date.now()
    const look = () => {
      if (document.visibilityState !== 'visible' || Date.now() - asked_at < look_again_ms) return
      asked_at = Date.now()
      metaOf(of, JSON.parse(body) as object)
        .then(({ newer }) => setCounted({ key: body, newer }))
        .catch(() => undefined)
    }
    window.addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      window.removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [of, body, since])
  return Math.max(counted.key === body ? counted.newer : 0, toldByPages)
}

const rest_ms = 600

/** How many fit the question, asked for by itself once an opened list rests; undefined until it is known. */
export function useExactTotal(of: Endpoint, question: object, wanted: boolean) {
  const [rests, setRests] = useState(false)
  useEffect(() => {
    if (!wanted) return setRests(false)
    const timer = setTimeout(() => setRests(true), rest_ms)
    return () => clearTimeout(timer)
  }, [wanted])
  return useQuery({
    queryKey: ['count', of.path, question],
    queryFn: ({ signal }) => metaOf(of, { ...question, per_page: 0, count: true }, signal),
    enabled: wanted && rests,
    retry: false,
  }).data
}
