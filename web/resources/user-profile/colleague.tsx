// Colleague: another person's profile, opened by their `user_id` in the address, read-only. For a user who is out of reach the
// page is not found.
import * as reference from '#contract/reference.ts'
import * as users from '#contract/users.ts'
import { MailLink } from '#web/kit/display/mail-link.tsx'
import { useNames } from '#web/kit/call/names.ts'
import { dateOf, timeOf } from '#web/kit/display/dates.ts'
import { StatusBadge } from '#web/kit/display/status-badge.tsx'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { hasScreen, to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { Facts } from '#web/ui/facts.tsx'
import { PageHeader, Section } from '#web/ui/page.tsx'
import { Skeleton } from '#web/ui/state.tsx'

export function Colleague({ id }: { id: number }) {
  const user = useRecord(users, id)
  const types = useNames(reference.userTypes)
  return (
    <>
      <PageHeader
        title={user?.name ?? <Skeleton width={180} height={20} />}
        mark={user && <StatusBadge of={user.status} />}
        actions={
          hasScreen(appContext(), 'users/update') && <LinkButton href={to.user(id)}>{`Open in users`}</LinkButton>
        }
      />
      <div>
        <Section title="Profile" hint="As they filled it in themselves.">
          {user ? (
            <Facts
              facts={[
                ['E-mail', <MailLink key="mail" address={user.email} />],
                ['Belongs to', `${user.owner_name} (${user.owner_type})`],
                ['May', types.find((type) => type.id === user.user_type_id)?.name],
                ['Company', user.company_name],
                ['Contact e-mail', user.contact_email],
                ['Last signed in', timeOf(user.logged_in_at), 'Never'],
                ['Here since', dateOf(user.created_at)],
              ]}
            />
          ) : (
            <Skeleton height={180} />
          )}
        </Section>
      </div>
    </>
  )
}
