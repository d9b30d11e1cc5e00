// Status badge: the status words of the specification's section 4, with a tint.
import {
  occupancies,
  propertyStates,
  propertyWords,
  statuses,
  type PropertyWord,
  type Status,
} from '#contract/status.ts'
import { messages } from '#contract/messages.ts'
import { Badge, Quiet, Word, type Tone } from '#web/ui/badge.tsx'

type StatusWord = Status | (typeof occupancies)[number]
const tones = { disabled: 'off', draft: 'waiting' } as const satisfies Partial<Record<StatusWord, Tone>>
const isTinted = (word: string): word is keyof typeof tones => word in tones

/** Normal states are muted: one tinted word among fifty rows stands out only if the others are not tinted. */
export const StatusBadge = ({ of }: { of: string }) => {
  if (of === 'active' || of === 'vacant') return <Quiet>{messages.status[of]}</Quiet>
  return of === 'occupied' ? <Word>{messages.status[of]}</Word> : <Mark of={of} />
}

const Mark = ({ of }: { of: string }) => (
  <Badge dot tone={isTinted(of) ? tones[of] : 'plain'}>
    {isTinted(of) ? messages.status[of] : of}
  </Badge>
)

/** Shown below a name if there is no room for the badge; nothing for active ones. */
export const statusBelow = ({ status }: { status: Status }) => status !== 'active' && messages.status[status]

const options = (names: readonly StatusWord[]) => names.map((name) => ({ value: name, label: messages.status[name] }))
/** For the status filter of records with drafts. */
export const statusOptions = options(statuses)
/** For rooms, in addition to their status. */
export const occupancyOptions = options(occupancies)
/** For packages, voucher batches and others that are always either active or disabled. */
export const activityOptions = options(['active', 'disabled'])

const wrong: readonly PropertyWord[] = ['never_heard', 'silent', 'refusing', 'link_down']

/** The state of a property: those where guests cannot get online stand out most. */
export const StateBadge = ({ of }: { of: PropertyWord }) =>
  of === 'served' ? (
    <Quiet>{propertyStates[of]}</Quiet>
  ) : (
    <Badge tone={wrong.includes(of) ? 'wrong' : 'waiting'}>{propertyStates[of]}</Badge>
  )
export const stateOptions = propertyWords.map((value) => ({ value, label: propertyStates[value] }))
