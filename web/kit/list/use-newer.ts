// useNewer, useExactTotal: what a list requests in addition to its pages: whether there are newer rows, and the exact total, which
// pages count only up to a limit.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { callKind } from '#web/kit/call/call.ts'
import type { Page } from './list-pages.ts'

const metaOf = async (of: Endpoint, body: object, signal?: AbortSignal) =>
  (await callKind<Page<unknown>>(of, body, { signal })).meta

const check_interval_ms = 30_000

/** Rows created since the list was loaded. Requested when the user returns to the window, not by a timer, so that idle sessions end. */
export function useNewer(of: Endpoint, question: object, since: string | undefined, newerByPages: number): number {
  const [counted, setCounted] = useState({ key: '', newer: 0 })
  const body = JSON.stringify({ ...question, lastFetchedAt: since, per_page: 1 })
  useEffect(() => {
    if (!since) return
    let asked_at = Date.now()
    const check = () => {
      if (document.visibilityState !== 'visible' || Date.now() - asked_at < check_interval_ms) return
      asked_at = Date.now()
      metaOf(of, JSON.parse(body) as object)
        .then(({ newer }) => setCounted({ key: body, newer }))
        .catch(() => undefined)
    }
    window.addEventListener('focus', check)
    document.addEventListener('visibilitychange', check)
    return () => {
      window.removeEventListener('focus', check)
      document.removeEventListener('visibilitychange', check)
    }
  }, [of, body, since])
  return Math.max(counted.key === body ? counted.newer : 0, newerByPages)
}

const delay_ms = 600

/** The number of matching rows, requested separately shortly after the list has loaded; undefined until known. */
export function useExactTotal(of: Endpoint, question: object, wanted: boolean) {
  const [due, setDue] = useState(false)
  useEffect(() => {
    if (!wanted) return setDue(false)
    const timer = setTimeout(() => setDue(true), delay_ms)
    return () => clearTimeout(timer)
  }, [wanted])
  return useQuery({
    queryKey: ['count', of.path, question],
    queryFn: ({ signal }) => metaOf(of, { ...question, per_page: 0, count: true }, signal),
    enabled: wanted && due,
    retry: false,
  }).data
}
