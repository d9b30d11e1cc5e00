// Attention: one inbox of what to look at: since when, a button that leads to the remedy, and what somebody says of it: dealt with, or
// later. An entry for which there is no reason any more is gone by itself.
import { useEffect, useRef, useState } from 'react'
import { mark as markEntry } from '#contract/dashboard.ts'
import * as gateways from '#contract/gateways.ts'
import * as scheduled from '#contract/scheduled-reports.ts'
import * as batches from '#contract/voucher-batches.ts'
import { call } from '#web/kit/call/call.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { ageOf } from '#web/kit/display/dates.ts'
import { wholeOf } from '#web/kit/display/numbers.ts'
import { hasScreen, to, withModal } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { may, mayCall, useMayCall } from '#web/session/may.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import type { Figures } from './figures.ts'
import styles from './dashboard.module.css'

type Item = Figures['attention'][number]

interface Remedy {
  label: string
  href: string
}
interface Kind {
  what: (item: Item) => string
  tone?: 'wrong'
  /** Undefined if it is not available in this context or to this user. */
  remedy: (item: Item) => Remedy | undefined
}

const toProperty =
  (label: string) =>
  ({ property_id }: Item) =>
    property_id !== null && may('properties') && hasScreen(appContext(), 'properties/update')
      ? { label, href: to.property(property_id) }
      : undefined

const toGateway = ({ id }: Item) =>
  may('gateways') && hasScreen(appContext(), 'gateways/update') ? { label: 'Open', href: to.gateway(id) } : undefined

const toReport = ({ id }: Item) =>
  mayCall(scheduled.listScheduled) && hasScreen(appContext(), 'reports/scheduled')
    ? { label: 'See why', href: to.scheduledReport(id) }
    : undefined

const importAgain =
  (list: () => string, dialog: 'import-accounts' | 'import-devices' | 'import-rooms') =>
  ({ property_id }: Item) =>
    may('imports')
      ? { label: 'Try again', href: withModal(list(), dialog, property_id === null ? {} : { property_id }) }
      : undefined

const kinds: Record<Item['kind'], Kind> = {
  failed_job: { what: () => 'Fails: see the server’s log', tone: 'wrong', remedy: () => undefined },
  late_nights: {
    what: ({ left }) => `${left ?? 0} ${left === 1 ? 'night' : 'nights'} not recorded`,
    tone: 'wrong',
    remedy: () => undefined,
  },
  stay_list: {
    what: ({ left }) => `Would check ${wholeOf(left ?? 0)} out`,
    remedy: ({ id }) =>
      may('property_interfaces') && hasScreen(appContext(), 'property-interfaces/update')
        ? { label: 'Look', href: to.propertyInterface(id) }
        : undefined,
  },
  stay_differences: {
    what: ({ left }) => `${wholeOf(left ?? 0)} ${left === 1 ? 'difference' : 'differences'} with its system`,
    remedy: ({ id }) => ({ label: 'Settle', href: to.stayDifferences(id) }),
  },
  unanswered_gateway: { what: () => 'Not answered', remedy: toGateway },
  unregistered_gateway: {
    what: () => 'Unknown gateway',
    remedy: ({ property_id, id }) =>
      property_id !== null && mayCall(gateways.create) && hasScreen(appContext(), 'gateways/update')
        ? { label: 'Register', href: to.newGateway(property_id, id) }
        : undefined,
  },
  failed_import: { what: () => 'Failed import', remedy: importAgain(() => to.accounts(), 'import-accounts') },
  failed_device_import: { what: () => 'Failed import', remedy: importAgain(() => to.devices(), 'import-devices') },
  failed_room_import: {
    what: () => 'Failed import',
    remedy: (item) => importAgain(() => to.roomsOf(item.property_id ?? undefined), 'import-rooms')(item),
  },
  failed_report: { what: () => 'Report failed', remedy: toReport },
  undelivered: {
    what: ({ left }) => `${wholeOf(left ?? 0)} not delivered`,
    tone: 'wrong',
    remedy: () => (hasScreen(appContext(), 'undelivered') ? { label: 'See why', href: to.undelivered() } : undefined),
  },
  due_work: {
    what: ({ left }) => `${wholeOf(left ?? 0)} given up`,
    tone: 'wrong',
    remedy: () => (hasScreen(appContext(), 'due-work') ? { label: 'See why', href: to.dueWork() } : undefined),
  },
  paused_report: { what: () => 'Report paused', tone: 'wrong', remedy: toReport },
  voucher_batch_low: {
    what: ({ left }) => (left === 0 ? 'Used up' : `${left ?? 0} left`),
    remedy: ({ property_id }) =>
      mayCall(batches.create)
        ? { label: 'Make more', href: to.newVouchers(property_id === null ? {} : { property_id }) }
        : undefined,
  },
  draft_property: { what: () => 'Draft', remedy: toProperty('Finish') },
}

type Mark = 'done' | 'later'
/** What was just said of an entry, where it stood. */
interface Marked {
  item: Item
  index: number
  as: Mark
}

const said: Record<Mark, string> = { done: 'is done', later: 'comes back tomorrow morning' }

interface AttentionProps {
  items: Item[]
  more: number
  onChanged: (inbox: Pick<Figures, 'attention' | 'attention_more'>) => void
}

export function Attention({ items, more, onChanged }: AttentionProps) {
  const mayMark = useMayCall(markEntry)
  const [busy, setBusy] = useState<string>()
  const [marked, setMarked] = useState<Marked>()
  const mark = async (item: Item, as: Mark | 'open', index = 0) => {
    setBusy(keyOf(item))
    try {
      onChanged(await call(markEntry, { kind: item.kind, about_id: item.id, as }))
      setMarked(as === 'open' ? undefined : { item, index, as })
    } catch (error) {
      notify.failure(error)
    } finally {
      setBusy(undefined)
    }
  }
  const lines: (Item | Marked)[] = [...items]
  if (marked) lines.splice(marked.index, 0, marked)
  return (
    <>
      {lines.length === 0 && <p className={styles.none}>Nothing else.</p>}
      <ul className={styles.list}>
        {lines.map((line, index) =>
          'item' in line ? (
            <li key={`marked ${keyOf(line.item)}`} className={styles.wanting}>
              <Said>{`${line.item.name} ${said[line.as]}.`}</Said>
              <Button icon="undo" busy={busy !== undefined} onClick={() => void mark(line.item, 'open')}>
                Undo
              </Button>
            </li>
          ) : (
            <li key={keyOf(line)} className={styles.wanting}>
              <Entry item={line} />
              {mayMark && (
                <span className={styles.marks}>
                  {(['later', 'done'] as const).map((as) => (
                    <Button
                      key={as}
                      kind="quiet"
                      label={`${marks[as]}: ${line.name}`}
                      busy={busy === keyOf(line)}
                      onClick={() => void mark(line, as, index)}
                    >
                      {marks[as]}
                    </Button>
                  ))}
                </span>
              )}
            </li>
          ),
        )}
        {more > 0 && <li className={styles.none}>And {wholeOf(more)} more like these.</li>}
      </ul>
    </>
  )
}

const marks: Record<Mark, string> = { later: 'Later', done: 'Done' }
const keyOf = ({ kind, id }: Item) => `${kind}-${id}`

function Entry({ item }: { item: Item }) {
  const { what, tone = 'waiting', remedy } = kinds[item.kind]
  const link = remedy(item)
  return (
    <>
      <span>
        {item.name} <small>{ageOf(item.since)}</small>
      </span>
      <Badge tone={tone}>{what(item)}</Badge>
      {link && (
        <LinkButton href={link.href} label={`${link.label}: ${item.name}`}>
          {link.label}
        </LinkButton>
      )}
    </>
  )
}

/** The button that was pressed is gone: the focus is on what came of it, at which Enter does nothing. */
function Said({ children }: { children: string }) {
  const sentence = useRef<HTMLSpanElement>(null)
  useEffect(() => sentence.current?.focus(), [])
  return (
    <span ref={sentence} tabIndex={-1} role="status">
      {children}
    </span>
  )
}
