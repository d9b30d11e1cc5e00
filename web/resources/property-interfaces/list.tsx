// Property interfaces list: all of them, or those of one property, group or package in its tab.
import { useState } from 'react'
import * as interfaces from '#contract/property-interfaces.ts'
import { call } from '#web/kit/call/call.ts'
import { useOAuthReturn, type Authorization } from '#web/kit/dialog/oauth-return.ts'
import { activityOptions, StatusBadge, statusBelow } from '#web/kit/display/status-badge.tsx'
import { fieldColumns } from '#web/kit/list/field-columns.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column } from '#web/kit/list/list-types.ts'
import { CreateButton } from '#web/kit/navigation/create-button.tsx'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { hasScreen, to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/state.tsx'
import { interfaceKind, type Interface } from './kind.ts'
import { LinkBadge, linkWordOf } from './link.tsx'
import { TryPanel } from './try.tsx'

const column = fieldColumns(interfaces)

async function finish(authorization: Authorization) {
  const { id, name } = await call(interfaces.connect, authorization)
  return { name, to: to.propertyInterface(id) }
}

export interface InterfacesOf {
  property_id?: number
  group_id?: number
  package_id?: number
}

export const addressOf = ({ host, port }: Pick<Interface, 'host' | 'port'>) =>
  host === null ? null : port === null ? host : `${host}:${port}`

/** `Whole company`, or the name of the group, property or package. */
export const ownerIn = ({ owner_type, owner_name }: Pick<Interface, 'owner_type' | 'owner_name'>) =>
  owner_type === 'Customer' ? 'Whole company' : owner_name

const columnsOf = (many: boolean): Column<typeof interfaces.list>[] => [
  column('name', { width: 160, priority: 1 }),
  column('status', { cell: (one) => <StatusBadge of={one.status} />, below: statusBelow, width: 104, priority: 2 }),
  column('state', { cell: (one) => <LinkBadge {...one} />, below: linkWordOf, width: 120, priority: 3 }),
  column('property_interface_type', { width: 170, usual: 230, grow: 1, priority: 4 }),
  ...(many
    ? [
        {
          title: 'Belongs to',
          cell: (one: Interface) => ownerIn(one),
          below: (one: Interface) => ownerIn(one),
          width: 160,
          grow: 1,
          priority: 3,
        },
      ]
    : []),
  column('host', { title: 'Address', cell: (one) => addressOf(one), width: 180, usual: 240, priority: 5 }),
  column('number_of_properties_with_external_references', { width: 190, priority: 6, align: 'end' }),
  column('package', { width: 130, priority: 7, extra: true }),
  column('created_at', { width: 118, priority: 8, sort: 'created_at', extra: true }),
]

export function PropertyInterfacesList(of: InterfacesOf) {
  const { property_id, group_id, package_id } = of
  const create = (
    <CreateButton of={interfaces.create} href={to.newPropertyInterface(of)}>
      New interface
    </CreateButton>
  )
  const alone = property_id === undefined && group_id === undefined && package_id === undefined
  const all = !alone && hasScreen(appContext(), 'property-interfaces') && (
    <LinkButton href={to.propertyInterfaces()}>All interfaces</LinkButton>
  )
  const mayTry = useMayCall(interfaces.tryOut)
  const [isTried, setTried] = useState(false)
  const { finishing, problem } = useOAuthReturn(to.propertyInterfaces(), finish)
  const tryIt = mayTry && property_id !== undefined && !isTried && (
    <Button onClick={() => setTried(true)}>Try it without a system</Button>
  )
  if (finishing) return <Notice>Connecting. This takes a moment.</Notice>
  return (
    <>
      {problem !== undefined && <Notice tone="error">{problem}</Notice>}
      {isTried && property_id !== undefined && <TryPanel property_id={property_id} onEnd={() => setTried(false)} />}
      <ListScreen
        of={interfaces.list}
        title="Property interfaces"
        where={{
          ...(property_id ? { property_id } : {}),
          ...(group_id ? { group_id } : {}),
          ...(package_id ? { owner_package_id: package_id } : {}),
        }}
        kind={interfaceKind}
        columns={columnsOf(property_id === undefined && package_id === undefined)}
        filters={{
          status: { kind: 'checkbox', options: activityOptions },
          property_interface_type_id: { kind: 'checkbox' },
        }}
        actions={
          <>
            {all}
            {tryIt}
            {create}
          </>
        }
        empty={{
          icon: 'integrations',
          title: 'No property interfaces yet',
          children:
            'An interface links Foyer with the system that knows who stays where: rooms and guests then come from it.',
          action: (
            <>
              {all}
              {tryIt}
              {create}
            </>
          ),
        }}
      />
    </>
  )
}
