// Audience members: how many guests were sent, and who is waiting or was refused, with the reason and the next try.
import { useQuery } from '@tanstack/react-query'
import * as marketing from '#contract/marketing-integrations.ts'
import type { RowOf } from '#contract/endpoint.ts'
import { call } from '#web/kit/call/call.ts'
import { recentTimeOf } from '#web/kit/display/dates.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { Facts } from '#web/ui/facts.tsx'
import styles from './integrations.module.css'

interface Members {
  id: number
  members: RowOf<typeof marketing.list>['members']
  needsReconnect: boolean
}
const guests = (count: number) => (count === 1 ? 'One guest was' : `${count} guests were`)

const shown_max = 50

type Member = RowOf<typeof marketing.members>
const reasonOf = ({ state, reason, next_try_at }: Member) => {
  const why = reason ?? (state === 'leaving' ? 'Is removed within five minutes.' : 'Is sent within five minutes.')
  return next_try_at === null ? why : `${why} Next try ${recentTimeOf(next_try_at)}.`
}

export function AudienceMembers({ id, members, needsReconnect }: Members) {
  const stuck = members.waiting + members.refused + members.leaving
  const { data, error, refetch } = useQuery({
    queryKey: ['integrations', 'members', id, stuck],
    queryFn: ({ signal }) =>
      call(
        marketing.members,
        {
          params: { marketing_integration_id: id },
          filters: { state: ['waiting', 'refused', 'leaving'] },
          per_page: shown_max,
        },
        { signal },
      ),
    enabled: stuck > 0,
  })
  return (
    <>
      <Facts
        inColumns
        facts={[
          ['Sent', String(members.sent)],
          ['Waiting', String(members.waiting)],
          ['Refused', String(members.refused)],
          ['Unsubscribed', String(members.unsubscribed)],
        ]}
      />
      {members.erasures > 0 && (
        <p className={styles.lead}>
          {guests(members.erasures)} erased here, and {members.erasures === 1 ? 'is' : 'are'} still to be erased there.{' '}
          {needsReconnect
            ? 'That will go through once it is reconnected.'
            : members.erasures > members.erasures_given_up && 'That will go through within a minute or two.'}
        </p>
      )}
      {members.erasures_given_up > 0 && !needsReconnect && (
        <p className={styles.lead}>
          {members.erasures_given_up === 1 ? 'One of these was' : `${members.erasures_given_up} of these were`} given
          up. <Link href={to.dueWork()}>Due work</Link> says why, and what helps.
        </p>
      )}
      {error && !data && <LoadFailed error={error} again={() => void refetch()} />}
      {stuck > 0 && data && (
        <ul className={styles.members} aria-label="Guests who were not sent">
          {data.data.map((member) => (
            <li key={member.id}>
              <strong>{member.email ?? 'A guest who was erased'}</strong>
              <span>{reasonOf(member)}</span>
            </li>
          ))}
          {stuck > data.data.length && <li>And {stuck - data.data.length} more.</li>}
        </ul>
      )}
    </>
  )
}
