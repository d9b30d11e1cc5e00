// Link: how the link of an interface is, what a person can do about it, and what was told last.
import type { Output } from '#contract/endpoint.ts'
import * as interfaces from '#contract/property-interfaces.ts'
import { call } from '#web/kit/call/call.ts'
import { invalidateOthers } from '#web/kit/call/query-client.ts'
import { useLiveQuery } from '#web/kit/call/use-live-query.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { recentTimeOf } from '#web/kit/display/dates.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { wholeOf } from '#web/kit/display/numbers.ts'
import { useMayCall } from '#web/session/may.ts'
import { Badge, type Tone } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Panel } from '#web/ui/page.tsx'
import { Skeleton } from '#web/ui/state.tsx'
import { useKinds } from './kinds.ts'
import styles from './property-interfaces.module.css'

type Interface = Output<typeof interfaces.get>
type Word = Interface['state']['word']

const words: Record<Word, { label: string; tone: Tone }> = {
  up: { label: 'Linked', tone: 'good' },
  behind: { label: 'Silent', tone: 'wrong' },
  down: { label: 'Link down', tone: 'wrong' },
  never: { label: 'Never heard', tone: 'waiting' },
  off: { label: 'Not linked', tone: 'off' },
  confirm: { label: 'Needs your attention', tone: 'waiting' },
}
export const linkWordOf = ({ state: { word } }: Pick<Interface, 'state'>) => words[word].label
export const LinkBadge = ({ state: { word } }: Pick<Interface, 'state'>) => (
  <Badge tone={words[word].tone}>{words[word].label}</Badge>
)

async function act(work: () => Promise<unknown>, done: string) {
  try {
    await work()
    notify.success(done)
    invalidateOthers()
  } catch (error) {
    notify.failure(error)
  }
}

/** For whoever may: takes over the list that waits. */
export function ConfirmList({ one }: { one: Interface }) {
  const { id, state } = one
  const may = useMayCall(interfaces.confirm)
  const moves_out = state.moves_out ?? 0
  const take = async () => {
    const yes = await confirm({
      title: `Check ${wholeOf(moves_out)} ${moves_out === 1 ? 'guest' : 'guests'} out?`,
      description:
        'The list that the other system sent does not name them. If that is wrong, correct it there and send it again.',
      accept: 'Accept the list',
    })
    if (yes) await act(() => call(interfaces.confirm, { id, moves_out }), 'The list was accepted')
  }
  return may && <Button onClick={() => void take()}>Review and accept</Button>
}

/** Opens the system's page of consent. */
async function leaveFor(id: number) {
  try {
    const { url } = await call(interfaces.authorize, { id })
    window.location.assign(url)
  } catch (error) {
    notify.failure(error)
  }
}

export function LinkPanel({ one }: { one: Interface }) {
  const may = useMayCall(interfaces.sync)
  const kind = useKinds()(one.property_interface_type_id)
  const { id, state, is_connected } = one
  const canConnect = kind?.can_be_connected === true
  return (
    <Panel
      title="Link"
      actions={
        may &&
        one.active && (
          <>
            {canConnect && (
              <Button kind={is_connected ? undefined : 'primary'} onClick={() => void leaveFor(id)}>
                {is_connected ? `Connect to ${kind.name} again` : `Connect to ${kind.name}`}
              </Button>
            )}
            {kind?.can_be_asked && kind.served && (
              <Button
                icon="refresh"
                onClick={() => void act(() => call(interfaces.sync, { id }), 'Asking for all stays')}
              >
                Ask for all stays
              </Button>
            )}
          </>
        )
      }
    >
      <Facts
        facts={[
          ['State', <LinkBadge key="state" {...one} />],
          ['What that means', state.sentence],
          ['Since', recentTimeOf(state.since)],
          ...(canConnect || is_connected ? ([['Consent', is_connected ? 'Given' : 'Not given']] as const) : []),
        ]}
      />
    </Panel>
  )
}

/** How often it is read again: whoever sets a link up sees it come up. */
const link_every_ms = 5000

/** As the link is now, whatever is shown of the interface beside it. */
export function useLiveLink<I extends Interface>(one: I): I {
  const { id } = one
  const { data: now } = useLiveQuery(interfaces.get, { id }, { key: ['interface state', id], every_ms: link_every_ms })
  return { ...one, state: now?.state ?? one.state }
}

/** Latest from the system, newest first. */
export function LogPanel({ id }: { id: number }) {
  const log = useLiveQuery(interfaces.log, { id }, { key: ['interface log', id], every_ms: link_every_ms })
  return (
    <Panel title="Latest from the system">
      {log.isError ? (
        <LoadFailed error={log.error} again={() => void log.refetch()} />
      ) : !log.data ? (
        <Skeleton height={120} />
      ) : log.data.length === 0 ? (
        <p>Nothing yet. Each arrival, departure and move is listed here.</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard has to reach it
        <div className={styles.scroll} tabIndex={0} role="region" aria-label="Latest from the system">
          <ol className={styles.log}>
            {log.data.map(({ id: key, at, sentence }) => (
              <li key={key}>
                <time dateTime={at}>{recentTimeOf(at)}</time> {sentence}
              </li>
            ))}
          </ol>
        </div>
      )}
    </Panel>
  )
}
