// Unregistered gateways: those that asked at a property and that nobody knows, each with a button to register it.
import { useQuery } from '@tanstack/react-query'
import * as gateways from '#contract/gateways.ts'
import { call } from '#web/kit/call/call.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { Panel } from '#web/ui/page.tsx'
import { heardOf } from './heard.ts'
import styles from './gateways.module.css'

export const useUnregistered = (property_id: number | undefined) =>
  useQuery({
    queryKey: ['unregistered gateways', property_id],
    queryFn: ({ signal }) => call(gateways.unregistered, { property_id: property_id ?? 0 }, { signal }),
    enabled: property_id !== undefined,
    refetchOnWindowFocus: true,
  })

/** Nothing where there is none: what could not be asked is no news. */
export function UnregisteredGateways({ property_id }: { property_id: number }) {
  const { data = [] } = useUnregistered(property_id)
  const mayCreate = useMayCall(gateways.create)
  if (data.length === 0) return null
  return (
    <div className={styles.unregistered}>
      <Panel title="Unknown gateways that tried">
        <p className={styles.note}>
          They asked from where a gateway of this property asks, and were not answered. Either one is not registered
          yet, or its NAS identifier is mistyped.
        </p>
        <ul aria-label="Unknown gateways that tried">
          {data.map(({ id, nas_identifier, mac_address, address, last_seen_at }) => (
            <li key={id}>
              <span>
                <strong>{nas_identifier ?? mac_address ?? address}</strong>
                <small>
                  {[nas_identifier && mac_address, `from ${address}`, heardOf(last_seen_at)?.toLowerCase()]
                    .filter(Boolean)
                    .join(' · ')}
                </small>
              </span>
              {mayCreate && (
                <LinkButton
                  icon="add"
                  href={to.newGateway(property_id, id)}
                  label={`Register ${nas_identifier ?? mac_address ?? address}`}
                >
                  Register
                </LinkButton>
              )}
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  )
}
