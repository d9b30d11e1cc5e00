// Audience members: how many guests were sent, and who is waiting or was refused, with the reason.
import { useQuery } from '@tanstack/react-query'
import * as marketing from '#contract/marketing-integrations.ts'
import type { RowOf } from '#contract/endpoint.ts'
import { call } from '#web/kit/call/call.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { Facts } from '#web/ui/facts.tsx'
import styles from './integrations.module.css'

interface Members {
  id: number
  members: RowOf<typeof marketing.list>['members']
  needsReconnect: boolean
}
const guests = (count: number) => (count === 1 ? 'One guest was' : `${count} guests were`)

const shown_max = 50

export function AudienceMembers({ id, members, needsReconnect }: Members) {
  const stuck = members.waiting + members.refused
  const { data, error, refetch } = useQuery({
    queryKey: ['integrations', 'members', id, stuck],
    queryFn: ({ signal }) =>
      call(
        marketing.members,
        {
          params: { marketing_integration_id: id },
          filters: { state: ['waiting', 'refused'] },
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
          {needsReconnect ? 'That goes through once it is connected anew.' : 'That goes through with the next round.'}
        </p>
      )}
      {error && !data && <LoadFailed error={error} again={() => void refetch()} />}
      {stuck > 0 && data && (
        <ul className={styles.members} aria-label="Guests who were not sent">
          {data.data.map((member) => (
            <li key={member.id}>
              <strong>{member.email ?? 'A guest'}</strong>
              <span>{member.reason ?? 'Goes with the next round.'}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
