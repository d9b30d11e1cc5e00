// Guest detail: what is known of one guest: how to reach them, what they agreed to, and when they were online.
import type { ComponentType } from 'react'
import * as activity from '#contract/activity.ts'
import type { Output } from '#contract/endpoint.ts'
import * as guests from '#contract/guests.ts'
import { DetailTabs } from '#web/kit/detail/detail-tabs.tsx'
import type { PersonPageProps } from '#web/kit/detail/overview.tsx'
import { WhenLoaded } from '#web/kit/detail/when-loaded.tsx'
import { dateOf, timeOf } from '#web/kit/display/dates.ts'
import { RecordLink } from '#web/kit/detail/referred.tsx'
import { MailLink } from '#web/kit/display/mail-link.tsx'
import { wholeOf } from '#web/kit/display/numbers.ts'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { useWatched } from '#web/kit/list/use-watched.ts'
import { go } from '#web/kit/navigation/go.ts'
import { to } from '#web/paths.ts'
import { SessionsList } from '#web/resources/sessions/list.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { MoreMenu } from '#web/ui/more-menu.tsx'
import { Panel } from '#web/ui/page.tsx'
import { forgetGuests, guestItems, nameOf } from './kind.ts'

interface GuestDetailProps {
  id: number
  /** Their state and what the desk can do for them: the same panel as in guest help. */
  person: ComponentType<PersonPageProps>
}

export function GuestDetail({ id, person }: GuestDetailProps) {
  const guest = useRecord(guests, id)
  return (
    <DetailTabs
      of="Guest"
      name={guest && nameOf(guest)}
      back={{ title: 'Guests', href: to.guests() }}
      actions={guest && <Actions guest={guest} />}
      tabs={{
        overview: {
          title: 'Overview',
          body: () => (
            <WhenLoaded of={guests} id={id}>
              {(record) => <GuestOverview guest={record} person={person} />}
            </WhenLoaded>
          ),
        },
        sessions: { title: 'Sessions', body: () => <SessionsList guest_id={id} /> },
      }}
    />
  )
}

type Known = Output<typeof guests.get>

function Actions({ guest }: { guest: Known }) {
  const { watched } = useWatched()
  const items = guestItems(guest, (id) => {
    // Leaves the page before its record is dropped from the cache.
    go(to.guests())
    forgetGuests([id])
  })
  return items.length > 0 && <MoreMenu framed label="More about this guest" items={items.map(watched)} />
}

function GuestOverview({ guest, person: Person }: { guest: Known } & Pick<GuestDetailProps, 'person'>) {
  const { email, mobile_number, confirmed_at, property } = guest
  return (
    <Person
      who={{ kind: 'guest', id: guest.id }}
      log={{ of: activity.list, object_type: 'guests', object_id: guest.id }}
    >
      <Panel title="Guest">
        <Facts
          facts={[
            ['Name', guest.name],
            ['E-mail', email && <MailLink key="mail" address={email} />],
            ['Mobile number', mobile_number],
            ['Address confirmed', timeOf(confirmed_at), email || mobile_number ? 'Not confirmed' : undefined],
            ['Signed in by', guest.auth_method?.name],
            ['Property', property && <RecordLink key="property" to="properties" {...property} />],
            ['First seen', dateOf(guest.first_seen_at)],
            ['Last seen', timeOf(guest.last_seen_at)],
            ['Visits', wholeOf(guest.visits)],
          ]}
        />
      </Panel>
      <Panel title="Agreed to">
        <Facts
          facts={[
            [
              'Terms of use',
              guest.terms_agreed_at &&
                `${guest.terms_version === null ? '' : `Version ${guest.terms_version}, `}${timeOf(guest.terms_agreed_at)}`,
              'None were shown',
            ],
            ['Marketing', guest.marketing ? timeOf(guest.marketing_agreed_at) : null, 'Not agreed'],
            ...(guest.marketing_wording ? [['In these words', guest.marketing_wording] as const] : []),
          ]}
        />
      </Panel>
    </Person>
  )
}
