// Gateways list: a tab of a property, which mainly shows whether each was heard lately.
import * as gateways from '#contract/gateways.ts'
import { timeOf } from '#web/kit/display/dates.ts'
import { activityOptions, StatusBadge, statusBelow } from '#web/kit/display/status-badge.tsx'
import { fieldColumns } from '#web/kit/list/field-columns.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column } from '#web/kit/list/list-types.ts'
import { CreateButton } from '#web/kit/navigation/create-button.tsx'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { Badge, Lit } from '#web/ui/badge.tsx'
import { healthOf, heardOf } from './health.ts'
import { gatewayKind, type Gateway } from './kind.ts'
import { UnregisteredGateways } from './unregistered.tsx'

const column = fieldColumns(gateways)

const tones = { silent: 'wrong', quiet: 'off', never: 'plain' } as const

/** Disabled gateways are not expected to be heard, so they have no badge. */
const Heard = ({ last_seen_at, silent_since, status }: Gateway) => {
  const { health, words } = healthOf({ last_seen_at, silent_since })
  return status === 'active' ? (
    <span title={timeOf(last_seen_at)}>
      {health === 'heard' ? <Lit>{words}</Lit> : <Badge tone={tones[health]}>{words}</Badge>}
    </span>
  ) : (
    (heardOf(last_seen_at) ?? 'Never')
  )
}

const columns: Column<typeof gateways.list>[] = [
  column('name', { width: 160, priority: 1 }),
  column('status', {
    cell: (gateway) => <StatusBadge of={gateway.status} />,
    below: statusBelow,
    width: 104,
    priority: 2,
  }),
  column('gateway_type', { width: 150, grow: 1, priority: 4 }),
  {
    title: 'Last heard',
    cell: (gateway) => <Heard {...gateway} />,
    below: (gateway) => healthOf(gateway).words,
    width: 172,
    priority: 3,
  },
  column('ip_address', { width: 130, priority: 5 }),
  column('mac_address', { width: 160, priority: 6 }),
  column('nas_identifier', { width: 180, priority: 8, extra: true }),
  column('created_at', { width: 118, priority: 7, sort: 'created_at', extra: true }),
]

export function GatewaysList({ property_id }: { property_id: number }) {
  const mayCreate = useMayCall(gateways.create)
  const create = (
    <CreateButton of={gateways.create} href={to.newGateway(property_id)}>
      New gateway
    </CreateButton>
  )
  return (
    <>
      <UnregisteredGateways property_id={property_id} />
      <ListScreen
        of={gateways.list}
        title="Gateways"
        where={{ property_id }}
        kind={gatewayKind}
        columns={columns}
        filters={{
          status: { kind: 'checkbox', options: activityOptions },
          gateway_type_id: { kind: 'checkbox' },
        }}
        actions={create}
        empty={{
          icon: 'gateways',
          title: 'No gateways yet',
          children:
            'A gateway is the box at the property that asks who may go online.' +
            (mayCreate ? ' Register it, and paste into it what it needs.' : ''),
          action: create,
        }}
      />
    </>
  )
}
