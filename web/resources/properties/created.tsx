// Property created: what one does next with a new property. Only what exists is offered.
import type { Area } from '#contract/permissions.ts'
import * as properties from '#contract/properties.ts'
import { Link, LinkButton } from '#web/kit/navigation/link.tsx'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { hasScreen, to, withModal } from '#web/paths.ts'
import { may } from '#web/session/may.ts'
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
  /** Offered to those who may write there. */
  area: Area
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
      area: 'properties',
      needs: 'rooms/create',
    },
    {
      icon: 'vouchers',
      title: 'Vouchers',
      text: 'Codes to hand out at the desk.',
      href: screen('vouchers/create', `property_id=${id}`),
      area: 'voucher_batches',
      needs: 'vouchers/create',
    },
    {
      icon: 'accounts',
      title: 'Accounts',
      text: 'Guests with a name and a password.',
      href: to.property(id, 'accounts'),
      area: 'accounts',
      needs: 'accounts/update',
    },
    {
      icon: 'users',
      title: 'Team',
      text: 'Invite the people who work there. They see this property alone.',
      href: withModal(to.property(id, 'users'), 'invite-user', { property_id: id }),
      area: 'users',
    },
  ]
  return (
    <>
      <PageHeader
        above={<Link href={to.properties()}>Properties</Link>}
        title={property?.name ?? 'New property'}
        actions={may('properties') && <LinkButton href={to.newProperty()}>Add another</LinkButton>}
      />
      <div className={styles.created}>
        <Notice tone="success">The property is ready. Guests can get online as soon as its network points here.</Notice>
        <h2>What next?</h2>
        <ul className={styles.next}>
          {next
            .filter(({ area, needs }) => may(area) && (needs === undefined || hasScreen(appContext(), needs)))
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
