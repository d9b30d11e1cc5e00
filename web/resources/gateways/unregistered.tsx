// Unregistered gateways: those that sent requests or guests to a property and could not be served, with the reason and the remedy.
import { useQuery } from '@tanstack/react-query'
import type { Output } from '#contract/endpoint.ts'
import * as gateways from '#contract/gateways.ts'
import { call } from '#web/kit/call/call.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { Panel } from '#web/ui/page.tsx'
import { heardOf } from './health.ts'
import styles from './gateways.module.css'

export const useUnregistered = (property_id: number | undefined) =>
  useQuery({
    queryKey: ['unregistered gateways', property_id],
    queryFn: ({ signal }) => call(gateways.unregistered, { property_id: property_id ?? 0 }, { signal }),
    enabled: property_id !== undefined,
    refetchOnWindowFocus: true,
  })

type Unregistered = Output<typeof gateways.unregistered>[number]

/** The reason, and what to do. */
function reasonOf({ why, gateway, make, mark }: Unregistered): string {
  const [named, made] = [gateway?.name ?? 'a registered one', make?.name ?? 'another kind']
  switch (why) {
    case 'asks':
      return 'It asks by RADIUS and is not answered. Register it, or correct its NAS identifier.'
    case 'unknown':
      if (mark !== null)
        return 'It sent a guest to your portal, encrypted with a secret that no gateway here has. Register it, or paste its secret into it.'
      return 'It sent a guest to your portal under a name that is not registered. Register it, or correct its name.'
    case 'not_genuine':
      return `It sent a guest to your portal as ${named}, with another secret. Paste the secret of ${named} into it once more.`
    case 'other_kind':
      return `It sent a guest to your portal as ${named}, and speaks as ${made}. Change the type of ${named} to that.`
    case 'not_served':
      return (
        `It sends its guests to your portal as ${made} does, which nobody can be let online by. Let it use a page of its own with ` +
        'RADIUS, as its set-up says, or send guests in the way of Generic RADIUS (WISPr).'
      )
  }
}
const canBeRegistered = ({ why }: Unregistered) => why === 'asks' || why === 'unknown'

/** Shows nothing if there are none, or if they could not be loaded. */
export function UnregisteredGateways({ property_id }: { property_id: number }) {
  const { data = [] } = useUnregistered(property_id)
  const mayCreate = useMayCall(gateways.create)
  if (data.length === 0) return null
  return (
    <div className={styles.unregistered}>
      <Panel title="Gateways whose guests stay offline">
        <ul aria-label="Gateways whose guests stay offline">
          {data.map((one) => (
            <li key={one.id}>
              <span>
                <strong>{nameOf(one)}</strong>
                <small>{reasonOf(one)}</small>
                <small>{detailOf(one)}</small>
              </span>
              {mayCreate && canBeRegistered(one) && (
                <LinkButton icon="add" href={to.newGateway(property_id, one.id)} label={`Register ${nameOf(one)}`}>
                  Register
                </LinkButton>
              )}
              {one.gateway && (
                <LinkButton href={to.gateway(one.gateway.id, one.why === 'other_kind' ? 'details' : 'setup')}>
                  Open {one.gateway.name}
                </LinkButton>
              )}
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  )
}

const nameOf = ({ nas_identifier, mac_address, host, mark, address, make }: Unregistered) => {
  const made = make?.name ?? 'A gateway'
  return nas_identifier ?? mac_address ?? host ?? address ?? (mark === null ? made : `${made}, ${mark}`)
}

const detailOf = ({ nas_identifier, mac_address, address, last_seen_at }: Unregistered) =>
  [nas_identifier && mac_address, address && `from ${address}`, heardOf(last_seen_at)].filter(Boolean).join(' · ')
