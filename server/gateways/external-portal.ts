// External portal: what the makes have in common that send guests to a page elsewhere, and take a form of a user name and a password
// from their browsers, which they ask RADIUS about.
import { caught_page } from './controller-makes.ts'
import { dnsmasqLine, hostOf, radiusValues, type GatewayDefinition, type SetUpOf } from './definition.ts'
import type { Arrival, GatewayKind, PortalSignIn, Query, RadiusDialect, Redirect } from './kind.ts'
import { first, macIn, webAddressIn } from './read.ts'
import { wisprRadius } from './wispr-radius.ts'

/** The names of the parameters of a redirect. */
interface Names {
  /** All of these are in it. */
  marks: readonly string[]
  nas_identifier?: string
  gateway_mac?: readonly string[]
  access_point?: string
  device: string
  wanted?: string
  /** It is there where a sign-in was refused. */
  error?: string
}

export const arrivalBy =
  ({ marks, nas_identifier, gateway_mac = [], access_point, device, wanted, error }: Names) =>
  ({ query }: Pick<Redirect, 'query'>): Arrival | null =>
    marks.every((mark) => query[mark] !== undefined)
      ? {
          nas_identifier: nas_identifier === undefined ? null : first(query, nas_identifier),
          gateway_mac: macIn(first(query, ...gateway_mac)),
          ...(access_point !== undefined && { access_point: first(query, access_point) }),
          mac_address: macIn(first(query, device)),
          wanted: wanted === undefined ? null : webAddressIn(first(query, wanted)),
          outcome: error !== undefined && first(query, error) !== null ? 'refused' : null,
          isGenuine: null,
        }
      : null

/** A redirect of a make in a way that is not served: neither device nor page is read from it. */
export const recognised = (gateway_mac: string | null = null): Arrival => ({
  nas_identifier: null,
  gateway_mac: macIn(gateway_mac),
  mac_address: null,
  wanted: null,
  outcome: null,
  isGenuine: null,
  not_served: true,
})

/** A claimed web address, if it can be read as one. */
export const addressIn = (text: string | null): URL | null => {
  const claimed = webAddressIn(text)
  return claimed !== null && URL.canParse(claimed) ? new URL(claimed) : null
}

/** Without the port. */
export const withoutPort = (host: string) => host.replace(/:\d+$/, '')

/** Only the path and the query of a claimed address are used, and the port if the make uses it. */
export function claimedPath(address: URL | null, path: string, ports: readonly string[]) {
  const port = address && ports.includes(address.port) ? `:${address.port}` : ''
  return {
    port,
    path: address ? `${address.pathname}${address.search}` : path,
    isSecure: address?.protocol === 'https:',
  }
}

/** One of the make's own names where the redirect has it, else the registered host. */
export const ownNames =
  (
    names: RegExp,
    claimed: (query: Query) => string | null,
    usual: string | null,
  ): NonNullable<PortalSignIn['hostOf']> =>
  (query, registered) => {
    const said = claimed(query)
    const host = addressIn(said)?.hostname ?? said?.toLowerCase() ?? ''
    return names.test(host) ? host : (registered ?? usual)
  }

interface Make
  extends
    Pick<GatewayDefinition, 'id' | 'name' | 'honours' | 'honours_when' | 'note'>,
    Pick<GatewayKind, 'controller' | 'asks' | 'own_paths'> {
  /** Fields of a gateway that it needs besides. */
  fields?: GatewayDefinition['fields']
  isSetUp?: PortalSignIn['isSetUp']
  parameters?: GatewayDefinition['parameters']
  walled_garden?: string[]
  /** Where in its own screens the portal and the RADIUS server are entered. */
  where: string
  /** As the make calls the values, beside those of RADIUS. */
  values?: (gateway: SetUpOf) => { name: string; value: string }[]
  /** Of one that is set up in another way; null: it is not. */
  setUp?: (gateway: SetUpOf) => ReturnType<GatewayDefinition['setUp']> | null
  /** Of a box that is given a page of its own, which sends guests to the portal. */
  lines?: (gateway: SetUpOf) => string
  arrival: GatewayKind['arrival']
  letIn: PortalSignIn['letIn']
  hostOf?: PortalSignIn['hostOf']
  radius?: Partial<RadiusDialect>
  isGenericToo?: GatewayKind['isGenericToo']
}

export const externalPortal = ({
  arrival,
  letIn,
  hostOf: toHost,
  isSetUp,
  own_paths,
  controller,
  asks,
  fields = [],
  radius,
  isGenericToo,
  ...make
}: Make): GatewayKind => {
  const { where, values = () => [], lines, parameters = [], walled_garden = [], honours, setUp, ...said } = make
  return {
    definition: {
      ...said,
      honours,
      parameters,
      walled_garden,
      fields: [
        ...fields,
        'counts_from_gateway_side',
        'takes_unsigned',
        ...(honours.end === 'yes' ? (['disconnect_port'] as const) : []),
      ],
      setUp: (gateway) =>
        setUp?.(gateway) ?? {
          where,
          lines: lines?.(gateway) ?? null,
          values: [
            ...(lines ? [] : [{ name: 'External login page', value: gateway.portal }]),
            { name: 'Allowed before sign-in', value: [hostOf(gateway.portal), ...walled_garden].join(', ') },
            ...values(gateway),
            ...radiusValues(gateway),
          ],
        },
      captiveLine: dnsmasqLine,
    },
    arrival,
    portal: {
      letIn,
      ...(toHost && { hostOf: toHost }),
      ...(isSetUp && { isSetUp }),
      pagesOf: (host) => ({ sign_in: host === '' ? caught_page : `http://${host}/`, sign_out: null }),
    },
    ...(controller && { controller }),
    ...(asks && { asks }),
    ...(own_paths && { own_paths }),
    radius: { ...wisprRadius, ...radius },
    ...(isGenericToo && { isGenericToo }),
  }
}

/** Of a make that takes the time, and ends a session when it is told to: used-up volume ends it by our report of use. */
export const takesEnd = {
  time: 'yes',
  speed: 'no',
  data: 'yes',
  end: 'yes',
  change: 'next_sign_in',
  usage: 'yes',
} as const
/** Of a make that takes the time, and nothing later. */
export const takesTime = { time: 'yes', speed: 'no', data: 'no', end: 'no', change: 'no', usage: 'yes' } as const

/** For packages whose volume and end such a make cannot keep. */
export const ends_by_time =
  'It cannot be told to end a session: guests stay online until the granted time is over, so keep packages for it short.'
