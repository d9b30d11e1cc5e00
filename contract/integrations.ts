// Integrations: what connections to other companies' systems have in common, whichever company and whatever for.
import { z } from 'zod'
import { id, moment, ownerTypes, text } from './shapes.ts'

/**
 * `choose`: an organisation or audience is to be chosen; `reconnect`: somebody must give consent anew; `failing`: it is tried
 * again by itself.
 */
export const connectionStates = ['connected', 'choose', 'reconnect', 'failing'] as const
export const connectionState = z.enum(connectionStates)

/** Something of the provider's that can be chosen, by the provider's own id. */
export const Choice = z.object({ id: z.string(), name: z.string() })

/** A field of a connection that a person sets, as its provider says: the form is drawn from it. */
export const Parameter = z.object({
  name: z.string(),
  label: z.string(),
  help: z.string(),
  /** The field of the connection that lists what can be chosen; null where `options` does. */
  choices_in: z.string().nullable(),
  options: z.array(Choice),
  required: z.boolean(),
  /** What was chosen stays: another is another connection. */
  once: z.boolean(),
})
export const Provider = z.object({
  integration_type: z.string(),
  name: z.string(),
  /** Whoever runs the installation has set it up. */
  available: z.boolean(),
  parameters: z.array(Parameter),
})

/** What the provider sends the browser back with; good once, for ten minutes, for the person who set out. */
export const Callback = z.object({ code: text(4000), state: text(200) })
/** Where the browser goes to give consent. */
export const Authorization = z.object({ url: z.string() })

/** What every connection answers. Its tokens are nobody's to read. */
export const connection = {
  id,
  owner_type: z.enum(ownerTypes),
  owner_id: id,
  /** The provider's own name of the account or organisation. */
  name: z.string().nullable(),
  tenant_id: z.string().nullable(),
  state: connectionState,
  last_synced_at: moment.nullable(),
  last_error: z.string().nullable(),
  created_at: moment,
}
