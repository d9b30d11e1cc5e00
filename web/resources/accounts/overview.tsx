// Account overview: how a guest signs in, where they stay, what they get, and what keeps them from getting online.
import * as accounts from '#contract/accounts.ts'
import * as activity from '#contract/activity.ts'
import type { Output } from '#contract/endpoint.ts'
import * as reference from '#contract/reference.ts'
import { useNames } from '#web/kit/call/names.ts'
import { Overview } from '#web/kit/detail/overview.tsx'
import { dateOf, timeOf } from '#web/kit/display/dates.ts'
import { Copyable } from '#web/kit/made/copyable.tsx'
import { MailLink } from '#web/kit/display/mail-link.tsx'
import { Link, LinkButton } from '#web/kit/navigation/link.tsx'
import { hasScreen, to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { useMay, useMayCall } from '#web/session/may.ts'
import { Facts } from '#web/ui/facts.tsx'
import { Panel } from '#web/ui/page.tsx'
import { SignInCard } from './sign-in-card.tsx'

export function AccountOverview({ account }: { account: Output<typeof accounts.get> }) {
  const mayChange = useMayCall(accounts.update)
  const mayRead = useMay(accounts.list.area)
  const types = useNames(reference.accountTypes)
  const details = (title: string) =>
    mayChange && <LinkButton href={to.account(account.id, 'details')}>{title}</LinkButton>
  return (
    <Overview
      log={{ of: activity.list, object_type: 'accounts', object_id: account.id }}
      todo={[
        account.draft && { title: 'This account is a draft', text: 'The guest cannot sign in yet.' },
        account.username === null && {
          title: 'No username',
          text: 'The guest cannot sign in with a password.',
          action: details('Give one'),
        },
      ]}
    >
      <Panel title="Sign-in">
        <Facts
          facts={[
            [
              'Username',
              account.username && (
                <Copyable key="username" what="username">
                  {account.username}
                </Copyable>
              ),
            ],
            // Only an editor is told it, or that there is none; whoever has just set it sees it in the answer.
            ['Password', passwordOf(account.password), mayRead ? 'Not set' : 'Editors can see it'],
            ['Last signed in', timeOf(account.logged_in_at), 'Never'],
          ]}
        />
        <SignInCard account={account} />
      </Panel>
      <Panel title="Stay">
        <Facts
          facts={[
            ['Property', <PropertyLink key="property" {...account.property} />],
            ['Room', account.room?.name, 'No room'],
            ['E-mail', account.email && <MailLink key="mail" address={account.email} />],
            [
              'Mobile number',
              account.mobile_number && (
                <a key="tel" href={`tel:${account.mobile_number}`}>
                  {account.mobile_number}
                </a>
              ),
            ],
          ]}
        />
      </Panel>
      <Panel title="Service">
        <Facts
          facts={[
            ['Package', account.package?.name, "The property's package"],
            ['Type', types.find(({ id }) => id === account.account_type_id)?.name],
            ['Expires', timeOf(account.expires_at), 'Never'],
            ['Created', dateOf(account.created_at)],
          ]}
        />
      </Panel>
    </Overview>
  )
}

const passwordOf = (password: string | null) => password !== null && <Copyable what="password">{password}</Copyable>

const PropertyLink = ({ id, name }: { id: number; name: string }) =>
  hasScreen(appContext(), 'properties/update') ? <Link href={to.property(id)}>{name}</Link> : name
