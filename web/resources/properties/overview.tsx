// Property overview: its state in a line, what it still lacks, and what its guests get.
import { useQuery } from '@tanstack/react-query'
import * as activity from '#contract/activity.ts'
import type { Output } from '#contract/endpoint.ts'
import * as portals from '#contract/portals.ts'
import * as properties from '#contract/properties.ts'
import * as differences from '#contract/stay-differences.ts'
import type { PropertyWord } from '#contract/status.ts'
import * as batches from '#contract/voucher-batches.ts'
import { call } from '#web/kit/call/call.ts'
import { useNames } from '#web/kit/call/names.ts'
import { useLiveQuery } from '#web/kit/call/use-live-query.ts'
import { FieldFacts } from '#web/kit/detail/field-facts.tsx'
import { Overview, type Todo } from '#web/kit/detail/overview.tsx'
import { wholeOf } from '#web/kit/display/numbers.ts'
import { recentTimeOf, timeOf } from '#web/kit/display/dates.ts'
import { StateBadge } from '#web/kit/display/status-badge.tsx'
import { zoneName } from '#web/kit/display/time-zones.ts'
import { MailLink } from '#web/kit/display/mail-link.tsx'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { hasScreen, to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { may, mayCall, useMayCall } from '#web/session/may.ts'
import { Panel } from '#web/ui/page.tsx'
import { namesOf } from './rules.ts'
import { KeepZone } from './time-zone.tsx'
import styles from './properties.module.css'

type Property = Output<typeof properties.get>
const { fields } = properties

/** How many differences wait, for whoever may settle them. */
function useDifferences(property_id: number): number {
  const maySettle = useMayCall(differences.acceptDifferences)
  const { data } = useQuery({
    queryKey: ['differences', property_id],
    queryFn: () => call(differences.differenceList, { params: { property_id }, per_page: 1 }),
    enabled: maySettle,
  })
  return data?.meta.total ?? 0
}

/** What keeps guests from getting online at this property, the worst first. */
function useTodo(property: Property): (Todo | false)[] {
  const mayEdit = useMayCall(properties.update)
  const details = (title: string) =>
    mayEdit && <LinkButton href={to.property(property.id, 'details')}>{title}</LinkButton>
  const waiting = useDifferences(property.id)
  const missing = properties.requiredUnlessDraft.filter((name) => !property[name])
  return [
    property.draft && {
      title: 'This property is a draft',
      text:
        missing.length === 0
          ? 'It is complete. Activate it to let guests in.'
          : `Before it can be activated, fill in: ${namesOf(missing)}.`,
      action: missing.length > 0 && details('Fill in'),
    },
    !property.draft && !property.active && { title: 'This property is disabled', text: 'Nobody can get online here.' },
    waiting > 0 && {
      title: `${wholeOf(waiting)} ${waiting === 1 ? 'difference' : 'differences'} with its own system`,
      text: 'The system says one thing about a stay, and somebody has entered another.',
      action: <LinkButton href={to.stayDifferences(property.id)}>Settle</LinkButton>,
    },
    property.time_zone_assumed && {
      title: `Time zone assumed: ${zoneName(property.time_zone)}`,
      text: 'Its country has several. Nights, allowances and daily figures use this one.',
      action: mayEdit && (
        <>
          <KeepZone property={property} /> {details('Choose another')}
        </>
      ),
    },
  ]
}

/** Where something is done about it. */
function remedyOf(
  { id, shown_portal: portal, package: own }: Property,
  word: PropertyWord,
  isPageOff: boolean,
): { title: string; href: string } | null {
  if (word === 'refusing' && hasScreen(appContext(), 'sign-in-attempts') && may('sessions', 'read'))
    return {
      title: 'See the attempts',
      href: to.signInAttempts({ 'filter.property_id': id, 'filter.accepted': 'false' }),
    }
  if (word === 'codes_out')
    return mayCall(batches.create) ? { title: 'Make more', href: to.newVouchers({ property_id: id }) } : null
  if (word === 'link_down') return { title: 'Interfaces', href: to.property(id, 'interfaces') }
  if (word === 'incomplete' && (portal === null || own === null))
    return mayCall(properties.update) ? { title: 'Choose', href: to.property(id, 'details') } : null
  if (word === 'incomplete' && portal !== null && isPageOff)
    return { title: 'Open the portal', href: to.portal(portal.id) }
  return word === 'served' || word === 'nights_late' ? null : { title: 'Gateways', href: to.property(id, 'gateways') }
}

/** Whether its portal shows guests no page, for whoever can open portals. */
const useIsPageOff = ({ shown_portal }: Property): boolean =>
  useNames(hasScreen(appContext(), 'portals/update') ? portals.names : undefined).some(
    ({ id, status }) => id === shown_portal?.id && status !== 'active',
  )

/** How often it is read again. */
const state_every_ms = 30_000

function StateLine({ property }: { property: Property }) {
  const { id } = property
  const { data } = useLiveQuery(properties.get, { id }, { key: ['property-state', id], every_ms: state_every_ms })
  const { state, guests_online: online } = data ?? property
  const isPageOff = useIsPageOff(property)
  if (!state) return null
  const remedy = remedyOf(property, state.word, isPageOff)
  return (
    <div className={styles.state}>
      <StateBadge of={state.word} />
      <p>
        {state.sentence}{' '}
        <small title={timeOf(state.since)}>
          Since {recentTimeOf(state.since)}. {wholeOf(online)} online.
        </small>
      </p>
      {remedy && <LinkButton href={remedy.href}>{remedy.title}</LinkButton>}
    </div>
  )
}

export function PropertyOverview({ property }: { property: Property }) {
  const { id } = property
  return (
    <Overview
      log={{ of: activity.list, object_type: 'properties', object_id: id }}
      first={<StateLine property={property} />}
      todo={useTodo(property)}
    >
      <Panel title="Property">
        <FieldFacts
          fields={fields}
          of={property}
          sections={['property']}
          own={{
            name: null,
            collection_ids: null,
            email: [property.email && <MailLink key="mail" address={property.email} />],
          }}
          last={[
            ['total_units'],
            ['currency', [`${property.currency}, ${currencyFrom[property.currency_from]}`]],
            ['created_at'],
          ]}
        />
      </Panel>
      <Panel title="Guest Wi-Fi">
        <FieldFacts
          fields={fields}
          of={property}
          sections={['wifi']}
          own={{
            max_accounts: [property.max_accounts === 0 ? 'No limit' : wholeOf(property.max_accounts)],
            ...(property.portal_id === null &&
              property.shown_portal && { portal_id: [`${property.shown_portal.name}, its group’s`] as const }),
          }}
        />
      </Panel>
      <Panel title="Address">
        <FieldFacts
          fields={fields}
          of={property}
          sections={['address']}
          own={{ time_zone: [zoneName(property.time_zone)] }}
        />
      </Panel>
    </Overview>
  )
}

const currencyFrom: Record<Property['currency_from'], string> = {
  property: 'chosen here',
  country: 'that of its country',
  customer: 'your own, because it has no country yet',
}
