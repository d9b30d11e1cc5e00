// Colleague: another person's profile, opened by their `user_id` in the address, for reading only. One that is out of
// reach opens 'This page could not be found'.
import type { ReactNode } from 'react'
import * as reference from '#contract/reference.ts'
import * as users from '#contract/users.ts'
import { useNames } from '#web/kit/call/names.ts'
import { dateOf, timeOf } from '#web/kit/display/dates.ts'
import { StatusBadge } from '#web/kit/display/status-badge.tsx'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { hasScreen, to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { PageHeader, Section } from '#web/ui/page.tsx'
import { Skeleton } from '#web/ui/state.tsx'
import styles from './user-profile.module.css'

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
      <div className={styles.person}>
        <Section title="Profile" hint="Only they can change it here.">
          <dl className={styles.facts}>
            <Fact title="E-mail">{user?.email}</Fact>
            <Fact title="Belongs to">{user && `${user.owner_name} (${user.owner_type})`}</Fact>
            <Fact title="May">{user && (types.find((type) => type.id === user.user_type_id)?.name ?? '')}</Fact>
            <Fact title="Company">{user && (user.company_name ?? 'Not given')}</Fact>
            <Fact title="Contact e-mail">{user && (user.contact_email ?? 'Not given')}</Fact>
            <Fact title="Last signed in">{user && (timeOf(user.logged_in_at) || 'Never')}</Fact>
            <Fact title="Here since">{user && dateOf(user.created_at)}</Fact>
          </dl>
        </Section>
      </div>
    </>
  )
}

const Fact = ({ title, children }: { title: string; children: ReactNode }) => (
  <div>
    <dt>{title}</dt>
    <dd>{children ?? <Skeleton width={140} />}</dd>
  </div>
)
