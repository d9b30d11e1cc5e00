// Candidates: the matches of a search as links, with what tells them apart and the first problem of each.
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

export const keyOf = ({ kind, id }: Pick<Candidate, 'kind' | 'id'>) => `${kind} ${id}`

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
