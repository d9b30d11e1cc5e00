// Property interface kinds: what an interface to each system is told, and which of its fields that system uses.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { Parameter } from './parameters.ts'
import { id, nothing } from './shapes.ts'

const { lookup } = callsOf('property_interfaces')

/** Fields of an interface that only some systems use. */
const fieldsOfSome = ['host', 'port', 'sales_outlet', 'username', 'password'] as const

export const PropertyInterfaceKind = z
  .object({
    id,
    name: z.string(),
    /** Whether stays come from it yet. */
    served: z.boolean(),
    /** It can be asked for all stays at any time. */
    can_be_asked: z.boolean(),
    /** A person can connect it by consent at the system: this installation has a client there. */
    can_be_connected: z.boolean(),
    /** It posts what happens to the interface's address. */
    posts: z.boolean(),
    parameters: z.array(Parameter),
    fields: z.array(z.enum(fieldsOfSome)),
    /** What the other system is to be told. */
    note: z.string().nullable(),
  })
  .meta({ id: 'PropertyInterfaceKind' })

export const kinds = lookup('/property-interface-kinds', nothing, z.array(PropertyInterfaceKind))
