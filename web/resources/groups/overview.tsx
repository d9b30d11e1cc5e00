// Group overview: what belongs to a group, and what it still lacks.
import * as accounts from '#contract/accounts.ts'
import * as activity from '#contract/activity.ts'
import * as devices from '#contract/devices.ts'
import type { Output } from '#contract/endpoint.ts'
import * as groups from '#contract/groups.ts'
import * as properties from '#contract/properties.ts'
import * as users from '#contract/users.ts'
import * as batches from '#contract/voucher-batches.ts'
import { FieldFacts } from '#web/kit/detail/field-facts.tsx'
import { Overview } from '#web/kit/detail/overview.tsx'
import { MailLink } from '#web/kit/display/mail-link.tsx'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { Panel } from '#web/ui/page.tsx'

export function GroupOverview({ group }: { group: Output<typeof groups.get> }) {
  const mayEdit = useMayCall(groups.update)
  const { id } = group
  const where = { group_id: id }
  return (
    <Overview
      log={{ of: activity.list, object_type: 'groups', object_id: id }}
      todo={[
        group.draft && { title: 'This group is a draft', text: 'Activate it once it is set up.' },
        !group.draft && !group.active && { title: 'This group is disabled' },
        group.number_of_properties === 0 && {
          title: 'No properties',
          text: 'A group holds properties that are run together.',
          action: mayEdit && <LinkButton href={to.group(id, 'details')}>Choose properties</LinkButton>,
        },
      ]}
      counts={[
        { title: 'Properties', of: properties.list, where, href: to.group(id, 'properties') },
        { title: 'Voucher batches', of: batches.list, where, href: to.group(id, 'vouchers') },
        { title: 'Accounts', of: accounts.list, where, href: to.group(id, 'accounts') },
        { title: 'Devices', of: devices.list, where, href: to.group(id, 'devices') },
        { title: 'Users', of: users.list, where, href: to.group(id, 'users') },
      ]}
    >
      <Panel title="Group">
        <FieldFacts
          fields={groups.fields}
          of={group}
          sections={['group', 'guests']}
          own={{
            name: null,
            contact_email: [group.contact_email && <MailLink key="mail" address={group.contact_email} />],
          }}
          last={[['created_at']]}
        />
      </Panel>
    </Overview>
  )
}
