// Find guest: one field for everything that a guest can say or show, with matches below it while one types.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { search } from '#contract/guest-help.ts'
import { call } from '#web/kit/call/call.ts'
import { useDebounced } from '#web/kit/call/options.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { go, here } from '#web/kit/navigation/go.ts'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { FindField } from '#web/ui/find-field.tsx'
import { EmptyState, Notice, Skeleton } from '#web/ui/state.tsx'
import { say } from '#web/words/desk.ts'
import { Candidates, openCandidate } from './candidates.tsx'
import styles from './guest-help.module.css'

/** The pause after which what was typed is searched for. */
const typing_ms = 220
const length_min = 2

/** `onPhone`: on the start page for phones, whose address does not change. */
export function FindGuest({ q = '', onPhone = false }: { q?: string; onPhone?: boolean }) {
  const [typed, setTyped] = useState(q)
  const asked = useDebounced(typed.trim(), typing_ms)
  const input = useRef<HTMLInputElement>(null)
  const around = useRef<HTMLElement>(null)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['guest-help', asked],
    queryFn: ({ signal }) => call(search, { search: asked }, { signal }),
    enabled: asked.length >= length_min,
    staleTime: 0,
  })
  useEffect(() => {
    // On a phone the keyboard would cover the page.
    if (!onPhone) input.current?.focus()
  }, [onPhone])
  useEffect(() => {
    if (onPhone || here() === to.guestHelp({ q: asked })) return
    go(to.guestHelp({ q: asked }), { replace: true })
  }, [asked, onPhone])

  const word = typed.trim()
  const isLate = word !== asked || isFetching
  // Results for another word are never offered, as Enter and clicks refer to what is typed now.
  const found = word !== asked || asked.length < length_min ? [] : (data?.candidates ?? [])
  const [first] = found
  useArrows(around)
  const [waitsFor, waitFor] = useState<string>()
  useEffect(() => {
    if (waitsFor === undefined || (waitsFor === word && isLate)) return
    waitFor(undefined)
    if (first && waitsFor === word) openCandidate(first, asked)
  }, [waitsFor, word, isLate, first, asked])
  return (
    <search className={styles.find} ref={around}>
      <FindField
        label={say('find.who')}
        placeholder={say('find.by')}
        value={typed}
        onChange={setTyped}
        onEnter={() => waitFor(word)}
        size="large"
        ref={input}
      />
      <div aria-live="polite" aria-busy={isLate}>
        {error && <LoadFailed error={error} again={() => void refetch()} />}
        {!error && word.length >= length_min && (word !== asked || !data) && <Loading />}
        {!error && word === asked && asked.length >= length_min && data?.note && <Notice>{data.note}</Notice>}
        {found.length > 0 && <Candidates found={found} q={asked} />}
        {!error && data && !isLate && asked.length >= length_min && found.length === 0 && <NobodyFound asked={asked} />}
        {word.length < length_min && !onPhone && <Beginning />}
      </div>
    </search>
  )
}

/** The arrow keys move from the field through the matches and back. */
function useArrows(around: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const whole = around.current
    const move = (event: KeyboardEvent) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (step === undefined || whole === null) return
      const stops = [...whole.querySelectorAll<HTMLElement>('input, a')]
      const next = stops[stops.findIndex((stop) => stop === document.activeElement) + step]
      if (!next) return
      event.preventDefault()
      next.focus()
    }
    whole?.addEventListener('keydown', move)
    return () => whole?.removeEventListener('keydown', move)
  }, [around])
}

const Loading = () => (
  <div className={styles.loading}>
    <Skeleton height={44} label={say('looking')} />
    <Skeleton height={44} />
    <Skeleton height={44} />
  </div>
)

const NobodyFound = ({ asked }: { asked: string }) => (
  <EmptyState icon="search" title={say('find.nothing-for', { word: asked })}>
    {say('find.try')}
  </EmptyState>
)

const Beginning = () => (
  <EmptyState icon="findGuest" title={say('find.who')}>
    {say('find.type')}
  </EmptyState>
)

/** For users who may search. */
export const FindGuestOnPhone = () => (useMayCall(search) ? <FindGuest onPhone /> : null)
