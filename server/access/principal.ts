// Principal: who asks: a person, a program with a key, a gateway, or a job of the product itself; and for whom, with which
// reach and which rights. There is always one: anonymous work could be neither limited nor logged.
import type { Language } from '#contract/languages.ts'
import type { Action, Area, Can } from '#contract/permissions.ts'
import { rightsOf } from '#server/access/policies.ts'
import { reachOf, type Owner, type Reach } from '#server/access/reach.ts'

export interface Principal {
  kind: 'user' | 'api_key' | 'gateway' | 'guest' | 'job'
  /** The id of its row in the table of its kind; 0 for a job, which has none. */
  id: number
  name: string
  email: string | null
}

/** By whom, and by which right, something is asked for: both are asked again when it happens (present-rights.ts). */
export interface Asked {
  user_id: number | null
  key_id: number | null
  area: Area
  action: Action
}

export interface Caller {
  customer_id: number
  principal: Principal
  /** Whom it acts for: what it creates belongs there unless another owner is given. */
  owner: Owner
  reach: Reach
  can: Can
  ip: string | null
  /** In which a person reads what is answered; absent: English, as for programs and jobs. */
  language?: Language
  /** The session in which a person acts, as the log keeps it. */
  session?: string
  /** Absent where nobody asked: the product itself is at work, or a guest. */
  asked?: Asked
  /** The trial that this belongs to: what is written bears its mark, and nobody else sees that. */
  trial_id?: number | undefined
}

/** The key for whatever is counted separately for each principal. */
export const principalKey = ({ principal: { kind, id } }: Caller) => `${kind}:${id}`

/** The user, where the principal is one: for columns that refer to users. */
export const userIdOf = ({ principal }: Caller): number | null => (principal.kind === 'user' ? principal.id : null)

/** What somebody may ask for by this right, who is known by more than a name. */
export function askedBy({ principal: { kind, id } }: Caller, { area, action }: Pick<Asked, 'area' | 'action'>): Asked {
  return { user_id: kind === 'user' ? id : null, key_id: kind === 'api_key' ? id : null, area, action }
}

/** The product itself, at work for one customer. `job` is what the log calls it. */
export function callerOfJob(customer_id: number, job: string): Caller {
  const owner: Owner = { owner_type: 'Customer', owner_id: customer_id }
  return {
    customer_id,
    principal: { kind: 'job', id: 0, name: `Foyer (${job})`, email: null },
    owner,
    reach: reachOf(owner),
    can: rightsOf('Customer', 'editor'),
    ip: null,
  }
}

/** The type of simulated gateways, of which each is a trial. It stands in no list. */
export const trial_type_id = 1000

/** A gateway that asks for a guest: it reaches its own property, and has none of the rights that people have. */
export function callerOfGateway(gateway: {
  customer_id: number
  id: number
  property_id: number
  name: string
  /** Absent: of a make, not a trial's. */
  gateway_type_id?: number
}): Caller {
  const { customer_id, id, property_id, name, gateway_type_id } = gateway
  const owner: Owner = { owner_type: 'Property', owner_id: property_id }
  return {
    customer_id,
    principal: { kind: 'gateway', id, name, email: null },
    owner,
    reach: reachOf(owner),
    can: {},
    ip: null,
    ...(gateway_type_id === trial_type_id && { trial_id: id }),
  }
}

/** A guest whom a gateway has let in, in what they do themselves. The log outlives their data, so it names nobody. */
export const callerOfGuest = (gateway: Parameters<typeof callerOfGateway>[0], id: number): Caller => ({
  ...callerOfGateway(gateway),
  principal: { kind: 'guest', id, name: 'A guest', email: null },
})
