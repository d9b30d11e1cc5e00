// Account overview: the fields of a guest's account, next to the guest's state and what the desk can do for them.
import type { ComponentType } from 'react'
import * as accounts from '#contract/accounts.ts'
import * as activity from '#contract/activity.ts'
import type { Output } from '#contract/endpoint.ts'
import { FieldFacts } from '#web/kit/detail/field-facts.tsx'
import type { PersonPageProps } from '#web/kit/detail/overview.tsx'
import { timeOf } from '#web/kit/display/dates.ts'
import { MailLink } from '#web/kit/display/mail-link.tsx'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { useMay, useMayCall } from '#web/session/may.ts'
import { Panel } from '#web/ui/page.tsx'

interface AccountOverviewProps {
  account: Output<typeof accounts.get>
  person: ComponentType<PersonPageProps>
}

export function AccountOverview({ account, person: Person }: AccountOverviewProps) {
  const mayChange = useMayCall(accounts.update)
  const mayRead = useMay(accounts.list.area)
  const details = (title: string) =>
    mayChange && <LinkButton href={to.account(account.id, 'details')}>{title}</LinkButton>
  return (
    <Person
      who={{ kind: 'account', id: account.id }}
      password={account.username === null ? null : account.password}
      log={{ of: activity.list, object_type: 'accounts', object_id: account.id }}
      todo={[
        account.draft && { title: 'This account is a draft', text: 'The guest cannot sign in yet.' },
        account.username === null && {
          title: 'No username',
          text: 'The guest cannot sign in with a password.',
          action: details('Give one'),
        },
        account.sign_in_undelivered && {
          title: 'The sign-in did not reach the guest',
          text: 'The message with it could not be delivered. Check the address, and send it again.',
          action: details('Check it'),
        },
      ]}
    >
      <Panel title="Account">
        <FieldFacts
          fields={accounts.fields}
          of={account}
          first={[
            ['property_id'],
            ['room_id'],
            ['package_id'],
            ['account_type_id'],
            // Only editors see whether there is one; a user who has just set it sees it in the answer.
            ...(account.password === null
              ? [['password', ['', mayRead ? 'Not set' : 'Editors can see it']] as const]
              : []),
          ]}
          sections={['guest', 'sign_in', 'service']}
          own={{
            name: null,
            // Shown in the guest's panels above.
            username: null,
            password: null,
            expires_at: null,
            email: [account.email && <MailLink key="mail" address={account.email} />],
            mobile_number: [
              account.mobile_number && (
                <a key="tel" href={`tel:${account.mobile_number}`}>
                  {account.mobile_number}
                </a>
              ),
            ],
          }}
          last={[['logged_in_at', [timeOf(account.logged_in_at), 'Never']], ['created_at']]}
        />
      </Panel>
    </Person>
  )
}
