// At the desk: the search field of the front desk's home. Searches while one types, and shows the first match with the verdict and
// all that can be done. Enter chooses: it leads to the name of what is shown, and never to a button, so that pressing it twice does
// nothing. The lists below come back once the field is empty.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState, type ReactNode, type RefObject } from 'react'
import { search, type Candidate, type FoundRoom, type HelpSubject } from '#contract/guest-help.ts'
import * as roomGuests from '#contract/room-guests.ts'
import { call } from '#web/kit/call/call.ts'
import { useDebounced } from '#web/kit/call/options.ts'
import { showAnswer } from '#web/kit/call/query-client.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { useTypedState } from '#web/kit/form/typed.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { FindField } from '#web/ui/find-field.tsx'
import { Notice, Skeleton } from '#web/ui/state.tsx'
import { say } from '#web/words/desk.ts'
import { CandidateOptions, keyOf, optionOf, type Who } from './candidates.tsx'
import { GroupsFound } from './group.tsx'
import { Person, personKey, usePerson } from './person.tsx'
import styles from './today.module.css'

/** The pause after which a name that was typed is searched for. A number is typed in one go, and asked for at once. */
const typing_ms = 80
const pauseOf = (word: string) => (/^\d+$/.test(word) ? 0 : typing_ms)
/** The answer of the search is not asked for again at once. */
const shownFor_ms = 2000
/** A room may be called 7; a single letter would match anybody. */
const isAsked = (word: string) => word.length >= (/^\d/.test(word) ? 1 : 2)

interface AtTheDeskProps {
  property_id: number
  takesFocus: boolean
  onChanged: () => void
  children: ReactNode
}

export function AtTheDesk({ property_id, takesFocus, onChanged, children }: AtTheDeskProps) {
  const [typed, setTyped] = useTypedState(`desk ${property_id}`, '')
  const [picked, pick] = useState<Who>()
  const input = useRef<HTMLInputElement>(null)
  const word = typed.trim()
  const [group, openGroup] = useState<string>()
  const { found, opened, groups, room, late, error, note, again } = useFound(word, property_id)
  // The number of a vacant room means that room, whatever else has the number, such as the television in it.
  const meansRoom = room?.vacant === true
  const shown: Who | undefined = picked ?? (meansRoom ? undefined : found[0])
  const isShown = (one: Who) => shown !== undefined && keyOf(one) === keyOf(shown)
  const place = found.findIndex(isShown)
  const [enters, setEnters] = useState<string>()
  useEffect(() => {
    if (takesFocus) input.current?.focus()
  }, [takesFocus])

  const type = (text: string) => {
    setTyped(text)
    pick(undefined)
    openGroup(undefined)
    setEnters(undefined)
  }
  const step = (by: number) => {
    const next = found[Math.min(Math.max(place + by, 0), found.length - 1)]
    if (next) pick({ kind: next.kind, id: next.id })
  }
  // An answer that comes late says nothing of who is looked for by then.
  const isStillAsked = () => input.current?.value.trim() === word
  const list = useId()
  const below = useRef<HTMLDivElement>(null)
  useEscape(below, () => {
    type('')
    input.current?.focus()
  })
  const isOpen = isAsked(word)
  const offers = isOpen && !late && found.some((one) => !isShown(one))
  return (
    <>
      <search>
        <FindField
          label={say('find.label')}
          placeholder={say('find.label')}
          value={typed}
          onChange={type}
          onEnter={() => setEnters(word)}
          matches={{
            list: offers ? list : undefined,
            active: offers && place >= 0 ? optionOf(list, place) : undefined,
            onStep: step,
          }}
          size="large"
          ref={input}
        />
      </search>
      <p role="status" className="unseen">
        {isOpen &&
          !late &&
          !error &&
          (meansRoom ? say('find.nobody-in-room', { room: room.name }) : heardOf(found, offers, opened))}
      </p>
      {isOpen && (
        <div ref={below} className={styles.found} aria-busy={late}>
          {error && <LoadFailed error={error} again={again} />}
          {!error && late && <Skeleton height={160} label={say('looking')} />}
          {!error && !late && note && <Notice>{note}</Notice>}
          {!error && !late && room && <CheckInto room={room} focused={meansRoom && enters === word} />}
          {!late && (
            <GroupsFound
              groups={groups}
              opened={group}
              onOpen={openGroup}
              property_id={property_id}
              onChanged={onChanged}
            />
          )}
          {offers && <CandidateOptions id={list} found={found} shown={shown} onPick={pick} />}
          {!error && !late && shown && (
            <Shown
              key={keyOf(shown)}
              who={shown}
              property_id={property_id}
              q={word}
              focused={enters === word}
              onChanged={() => {
                // Whoever was dealt with stays shown, with what was done, also where the search finds others by then.
                if (isStillAsked()) pick((other) => other ?? { kind: shown.kind, id: shown.id })
                onChanged()
              }}
              onOther={(other) => isStillAsked() && pick(other)}
            />
          )}
          {!error && !late && !room && !shown && !group && groups.length === 0 && <NothingFound word={word} />}
        </div>
      )}
      {!isOpen && children}
    </>
  )
}

/** Read out: how many there are, where the arrows lead to others; of one who it is, and the verdict. */
function heardOf(found: readonly Candidate[], offers: boolean, opened: HelpSubject | null): string {
  const [first] = found
  if (offers) return say('find.count-arrows', { count: found.length })
  return first ? say('find.one', { name: first.name, verdict: opened?.sentence ?? '' }) : ''
}

/** Escape within an element, or with no focus, as the focused element may be gone. Dialogs above it handle their own. */
function useEscape(around: RefObject<HTMLElement | null>, leave: () => void) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { target } = event
      const hasNoFocus = target === document.body || (target instanceof Element && target.id === 'main')
      const isHere = hasNoFocus || (target instanceof Node && around.current?.contains(target))
      if (event.key === 'Escape' && !event.defaultPrevented && isHere) leave()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })
}

/**
 * Results for another word are never shown, as Enter refers to what is typed now. The answer has the first match as it is shown below,
 * so that the verdict needs no second call.
 */
function useFound(word: string, property_id: number) {
  const asked = useDebounced(word, pauseOf(word))
  const { data, error, refetch } = useQuery({
    queryKey: ['guest-help', asked, property_id],
    queryFn: async ({ signal }) => {
      const found = await call(search, { search: asked, property_id, opens: true }, { signal })
      if (found.opened) showAnswer<HelpSubject>(personKey(found.opened, property_id), () => found.opened ?? undefined)
      return found
    },
    enabled: isAsked(asked),
    staleTime: 0,
  })
  const answers = word === asked && data !== undefined
  return {
    found: answers ? data.candidates : none,
    opened: answers ? data.opened : null,
    groups: answers ? data.groups : none,
    room: answers ? data.room : null,
    late: !answers && !error,
    error: word === asked ? error : null,
    note: answers ? data.note : null,
    again: () => void refetch(),
  }
}
const none: readonly never[] = []

interface ShownProps {
  who: Who
  property_id: number
  q: string
  /** Enter was pressed: the name takes the focus as soon as it is there. */
  focused: boolean
  onChanged: () => void
  onOther: (other: Who) => void
}

function Shown({ who, property_id, q, focused, onChanged, onOther }: ShownProps) {
  const { data, error, refetch } = usePerson(who, property_id, shownFor_ms)
  const name = useRef<HTMLHeadingElement>(null)
  const isThere = data !== undefined
  useEffect(() => {
    if (focused && isThere) name.current?.focus()
  }, [focused, isThere])
  if (error && !data) return <LoadFailed error={error} again={() => void refetch()} />
  if (!data) return <Skeleton height={160} label={say('loading')} />
  return (
    <section aria-label={data.name}>
      <h2 ref={name} tabIndex={-1} className={styles.name}>
        {data.name}
      </h2>
      <Person
        subject={data}
        q={q}
        reload={() => {
          onChanged()
          return refetch()
        }}
        onOther={onOther}
      />
    </section>
  )
}

interface CheckIntoProps {
  room: FoundRoom
  /** Enter was pressed, and the room was meant. */
  focused: boolean
}

function CheckInto({ room, focused }: CheckIntoProps) {
  const mayCheckIn = useMayCall(roomGuests.create)
  const around = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (focused) around.current?.querySelector('a')?.focus()
  }, [focused])
  return (
    <div className={styles.room} ref={around}>
      {room.vacant && <p>{say('find.nobody-in-room', { room: room.name })}</p>}
      {mayCheckIn && (
        <LinkButton icon="checkIn" kind={room.vacant ? 'primary' : 'plain'} href={to.newRoomGuest(room.id)}>
          {say('find.check-in-to', { room: room.name })}
        </LinkButton>
      )}
    </div>
  )
}

const NothingFound = ({ word }: { word: string }) => <Notice>{say('find.nothing', { word })}</Notice>
