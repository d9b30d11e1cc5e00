// Property created: what one does next with a new property. Only what exists is offered.
import * as accounts from '#contract/accounts.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import * as properties from '#contract/properties.ts'
import * as users from '#contract/users.ts'
import * as batches from '#contract/voucher-batches.ts'
import { Link, LinkButton } from '#web/kit/navigation/link.tsx'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { hasScreen, to, withModal } from '#web/paths.ts'
import { mayCall } from '#web/session/may.ts'
import { appContext } from '#web/session/context.ts'
import { Icon, type IconName } from '#web/ui/icons.tsx'
import { PageHeader } from '#web/ui/page.tsx'
import { Notice } from '#web/ui/state.tsx'
import styles from './properties.module.css'

interface Next {
  icon: IconName
  title: string
  text: string
  href: string
  /** Offered to those who may. */
  call: Endpoint
}

export function PropertyCreated({ id }: { id: number }) {
  const property = useRecord(properties, id)
  const screen = (name: string, query: string) => `/${appContext()}/${name}?${query}`
  const next: (Next & { needs?: string })[] = [
    {
      icon: 'properties',
      title: 'Rooms',
      text: 'So that guests can sign in with room number and name.',
      href: screen('rooms/create', `property_id=${id}`),
      call: properties.create,
      needs: 'rooms/create',
    },
    {
      icon: 'vouchers',
      title: 'Vouchers',
      text: 'Codes to hand out at the desk.',
      href: screen('vouchers/create', `property_id=${id}`),
      call: batches.create,
      needs: 'vouchers/create',
    },
    {
      icon: 'accounts',
      title: 'Accounts',
      text: 'Guests with a name and a password.',
      href: to.property(id, 'accounts'),
      call: accounts.create,
      needs: 'accounts/update',
    },
    {
      icon: 'users',
      title: 'Team',
      text: 'Invite the people who work there. They see this property alone.',
      href: withModal(to.property(id, 'users'), 'invite-user', { property_id: id }),
      call: users.invite,
    },
  ]
  return (
    <>
      <PageHeader
        above={<Link href={to.properties()}>Properties</Link>}
        title={property?.name ?? 'New property'}
        actions={mayCall(properties.create) && <LinkButton href={to.newProperty()}>Add another</LinkButton>}
      />
      <div className={styles.created}>
        <Notice tone="success">The property is ready. Guests can get online as soon as its network points here.</Notice>
        <h2>What next?</h2>
        <ul className={styles.next}>
          {next

            .filter(({ call, needs }) => mayCall(call) && (needs === undefined || hasScreen(appContext(), needs)))
            .map(({ icon, title, text, href }) => (
              <li key={title}>
                <Link href={href} className={styles.card}>
                  <Icon name={icon} />
                  <span>
                    <strong>{title}</strong>
                    {text}
                  </span>
                  <Icon name="forward" size={16} />
                </Link>
              </li>
            ))}
        </ul>
        <div className={styles.buttons}>
          <LinkButton href={to.properties()}>All properties</LinkButton>
          <LinkButton kind="primary" href={to.property(id)}>
            Open the property
          </LinkButton>
        </div>
      </div>
    </>
  )
}
