// Integrations: what all connections to other companies' systems have in common.
import { z } from 'zod'
import { id, moment, ownerTypes, text } from './shapes.ts'

/**
 * `choose`: an organisation or audience must be chosen; `reconnect`: somebody must renew the consent; `failing`: it is retried
 * automatically.
 */
export const connectionStates = ['connected', 'choose', 'reconnect', 'failing'] as const
export const connectionState = z.enum(connectionStates)

/** An option offered by the provider, with the provider's own id. */
export const Choice = z.object({ id: z.string(), name: z.string() })

/** A field of a connection that a person sets, as declared by its provider; the form is built from it. */
export const Parameter = z.object({
  name: z.string(),
  label: z.string(),
  help: z.string(),
  /** The field of the connection that lists the choices; null if `options` does. */
  choices_in: z.string().nullable(),
  options: z.array(Choice),
  required: z.boolean(),
  /** Cannot be changed once chosen: another choice needs another connection. */
  once: z.boolean(),
})
export const Provider = z.object({
  integration_type: z.string(),
  name: z.string(),
  /** Whether the operator of the installation has set it up. */
  available: z.boolean(),
  parameters: z.array(Parameter),
})

/** The parameters with which the provider sends the browser back; valid once, for ten minutes, for the user who started it. */
export const Callback = z.object({ code: text(4000), state: text(200) })
/** The address where the user gives consent. */
export const Authorization = z.object({ url: z.string() })

/** The answer common to all connections. Nobody can read its tokens. */
export const connection = {
  id,
  owner_type: z.enum(ownerTypes),
  owner_id: id,
  /** The provider's own name for the account or organisation. */
  name: z.string().nullable(),
  tenant_id: z.string().nullable(),
  state: connectionState,
  last_synced_at: moment.nullable(),
  last_error: z.string().nullable(),
  created_at: moment,
}
