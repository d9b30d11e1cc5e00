// Gateway kinds: what gateways of each make are told, which of a package's limits they keep, and how they are set up.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { Parameter, type Settings } from './parameters.ts'
import { byId, id, moment, named, nothing } from './shapes.ts'

const { lookup, read } = callsOf('gateways')

/** Stands for a RADIUS secret, which is shown only when it is made. */
export const secret_place = 'THE-RADIUS-SECRET'

/** How often a gateway reports what a guest has used. */
export const interim_s = 300

/** `next_sign_in`: not at once, but from the guest's next sign-in on. */
const Honoured = z.enum(['yes', 'no', 'next_sign_in'])

/** What is in force of a package's limits, whether an ended right ends the session, a changed limit reaches it, and usage is known. */
export const Honours = z.object({
  time: Honoured,
  speed: Honoured,
  data: Honoured,
  end: Honoured,
  change: Honoured,
  usage: Honoured,
})
export type Honours = z.output<typeof Honours>

/** Fields of a gateway that only some makes use. */
const fieldsOfSome = [
  'gateway_dns_setting',
  'username',
  'password',
  'counts_from_gateway_side',
  'takes_unsigned',
  'login_method',
  'disconnect_port',
] as const

export const GatewayKind = z
  .object({
    id,
    name: z.string(),
    /** Whether guests sign in on the portal. If not, they do so on the gateway's own page. */
    served: z.boolean(),
    parameters: z.array(Parameter),
    /** The fields of a gateway that this kind uses, of those that not all do. */
    fields: z.array(z.enum(fieldsOfSome)),
    honours: Honours,
    /** Of gateways whose setting has that value, or any (null), in place of `honours`; the first that fits. */
    honours_when: z.array(z.object({ key: z.string(), value: z.string().nullable(), honours: Honours })),
    /** Hosts that guests must be able to open before they are online, besides the portal's. */
    walled_garden: z.array(z.string()),
    /** What is easily missed. */
    note: z.string().nullable(),
  })
  .meta({ id: 'GatewayKind' })

/** What a gateway with these settings keeps to. */
export const honoursOf = (
  { honours, honours_when }: Pick<z.output<typeof GatewayKind>, 'honours' | 'honours_when'>,
  settings: Settings,
): Honours =>
  honours_when.find(({ key, value }) => (value === null ? Boolean(settings[key]) : settings[key] === value))?.honours ??
  honours

export const GatewaySetUp = z
  .object({
    /** Where on the gateway to enter the values, and what to do there. */
    where: z.string(),
    /** To paste. */
    lines: z.string().nullable(),
    /** To fill in, under the names that the gateway uses. */
    values: z.array(z.object({ name: z.string(), value: z.string() })),
    /** Why no gateway outside of this machine can use what stands here, and the setting that helps. Null: none is known. */
    unreachable: z.string().nullable(),
    /** The portal of the property, where guests who are sent to it see no page: it is disabled, or a draft. */
    portal_off: named.nullable(),
    /** Tells phones by DHCP where to ask whether they are online (RFC 8910). Null where they would get a wrong answer. */
    captive_line: z.string().nullable(),
  })
  .meta({ id: 'GatewaySetUp' })

/** How far a test guest has got: `waiting` until it is tried. The sentence says what was heard, or what to do. */
const Lamp = z.object({
  key: z.enum(['redirect', 'asked', 'let_in', 'usage', 'end']),
  state: z.enum(['waiting', 'green', 'red']),
  at: moment.nullable(),
  sentence: z.string(),
})
export type Lamp = z.output<typeof Lamp>
export const GatewayCheck = z
  .object({
    /** In the order in which a guest passes them: redirect seen, asked or called, let in, usage heard, end obeyed. */
    lamps: z.array(Lamp),
    /** SHA-256 of a certificate that its controller showed and nobody has accepted (`settings.tls_fingerprint`). */
    certificate: z.string().nullable(),
  })
  .meta({ id: 'GatewayCheck' })

export const kinds = lookup('/gateway-kinds', nothing, z.array(GatewayKind))
/** What to enter into one gateway. In place of its RADIUS secret stands `THE-RADIUS-SECRET`. */
export const setUp = read('/gateways-set-up/{id}', byId('gateways'), GatewaySetUp)
/** What was last heard of it, within seven days. */
export const check = read('/gateways-check/{id}', byId('gateways'), GatewayCheck)
