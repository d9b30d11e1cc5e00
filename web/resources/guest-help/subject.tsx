// Subject: the page of one guest.
import { insteadOf } from '#web/kit/form/use-resource.ts'
import { go } from '#web/kit/navigation/go.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { useIsFrontDesk } from '#web/session/may.ts'
import { Badge } from '#web/ui/badge.tsx'
import { PageHeader } from '#web/ui/page.tsx'
import { Skeleton } from '#web/ui/state.tsx'
import { say } from '#web/words/desk.ts'
import type { Who } from './candidates.tsx'
import { isOnline, Person, usePerson } from './person.tsx'

export function Subject({ kind, id, q }: Who & { q: string }) {
  const { data, error, refetch } = usePerson({ kind, id })
  const isDesk = useIsFrontDesk()
  if (!data && error) throw insteadOf(error)
  const above = q === '' ? say(isDesk ? 'today' : 'find.another') : say('find.back', { word: q })
  return (
    <>
      <PageHeader
        above={<Link href={isDesk && q === '' ? to.dashboard() : to.guestHelp({ q })}>{above}</Link>}
        title={data?.name}
        mark={data && isOnline(data) && <Online />}
      />
      {!data && <Skeleton height={160} label={say('loading')} />}
      {data && (
        <Person
          subject={data}
          q={q}
          reload={refetch}
          onOther={(other) => go(to.guestHelp({ ...other, q }), { replace: true })}
        />
      )}
    </>
  )
}

const Online = () => (
  <Badge tone="good" dot>
    {say('online')}
  </Badge>
)
