// Candidates: the matches of a search, as links or as options of the field above them: what tells them apart, and the first problem of
// each.
import type { Candidate } from '#contract/guest-help.ts'
import { go } from '#web/kit/navigation/go.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Icon, type IconName } from '#web/ui/icons.tsx'
import { say } from '#web/words/desk.ts'
import styles from './guest-help.module.css'

const icons: Record<Candidate['kind'], IconName> = {
  account: 'accounts',
  stay: 'rooms',
  voucher: 'vouchers',
  device: 'devices',
  guest: 'user',
  attempt: 'warning',
}
const address = ({ kind, id }: Candidate, q: string) => to.guestHelp({ kind, id, q })
export const openCandidate = (candidate: Candidate, q: string) => go(address(candidate, q))

export const Candidates = ({ found, q }: { found: readonly Candidate[]; q: string }) => (
  <ul className={styles.candidates} aria-label={say('found')}>
    {found.map((candidate) => (
      <li key={keyOf(candidate)}>
        <Link href={address(candidate, q)} className={styles.candidate}>
          <CandidateLine candidate={candidate} />
        </Link>
      </li>
    ))}
  </ul>
)

interface CandidateOptionsProps {
  id: string
  found: readonly Candidate[]
  shown: Who | undefined
  onPick: (who: Who) => void
}

/** Chosen by the arrow keys in the field above, which keeps the focus. */
export const CandidateOptions = ({ id, found, shown, onPick }: CandidateOptionsProps) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a select has no list below a field
  <ul id={id} role="listbox" className={styles.candidates} aria-label={say('found')}>
    {found.map((one, index) => (
      <li key={keyOf(one)} role="none">
        <button
          id={optionOf(id, index)}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={shown !== undefined && keyOf(one) === keyOf(shown)}
          className={`${styles.candidate} ${styles.option}`}
          onClick={() => onPick({ kind: one.kind, id: one.id })}
        >
          <CandidateLine candidate={one} />
        </button>
      </li>
    ))}
  </ul>
)
export const optionOf = (list: string, index: number) => `${list}-${index}`

export type Who = Pick<Candidate, 'kind' | 'id'>
export const keyOf = ({ kind, id }: Who) => `${kind} ${id}`

/** What tells a candidate from the others, its state and its problem. */
export const CandidateLine = ({ candidate }: { candidate: Candidate }) => (
  <>
    <Icon name={icons[candidate.kind]} />
    <span className={styles.who}>
      <b translate="no">{candidate.name}</b>
      <small>{placeOf(candidate)}</small>
    </span>
    {candidate.similar && <Badge>{say('kind.similar')}</Badge>}
    {candidate.online && (
      <Badge tone="good" dot>
        {say('online')}
      </Badge>
    )}
    {candidate.problem && <Badge tone="wrong">{candidate.problem}</Badge>}
  </>
)

export const placeOf = ({
  kind,
  detail,
  room,
  property,
}: Pick<Candidate, 'kind' | 'detail' | 'room' | 'property'>): string =>
  [say(`kind.${kind}`), room && say('kind.room', { room }), property?.name, detail].filter(Boolean).join(' · ')
