// Status badge: the word of section 4 in its tint.
import { occupancies, statuses, type Status } from '#contract/status.ts'
import { messages } from '#contract/messages.ts'
import { Badge, Quiet, Word, type Tone } from '#web/ui/badge.tsx'

type StatusWord = Status | (typeof occupancies)[number]
const tones = { disabled: 'off', draft: 'waiting' } as const satisfies Partial<Record<StatusWord, Tone>>
const isTinted = (word: string): word is keyof typeof tones => word in tones

/** What is as it should be is said quietly: fifty tinted words say less than one that is. */
export const StatusBadge = ({ of }: { of: string }) => {
  if (of === 'active' || of === 'vacant') return <Quiet>{messages.status[of]}</Quiet>
  return of === 'occupied' ? <Word>{messages.status[of]}</Word> : <Mark of={of} />
}

const Mark = ({ of }: { of: string }) => (
  <Badge dot tone={isTinted(of) ? tones[of] : 'plain'}>
    {isTinted(of) ? messages.status[of] : of}
  </Badge>
)

/** What stands below a name where the badge has no room: being active is not worth a word. */
export const statusBelow = ({ status }: { status: Status }) => status !== 'active' && messages.status[status]

const options = (names: readonly StatusWord[]) => names.map((name) => ({ value: name, label: messages.status[name] }))
/** For the status filter of models with drafts. */
export const statusOptions = options(statuses)
/** For rooms, beside their status. */
export const occupancyOptions = options(occupancies)
/** For packages, voucher batches and others that are only ever active or disabled. */
export const activityOptions = options(['active', 'disabled'])
