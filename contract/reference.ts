// Reference data: the look-ups that screens load at the start and offer in their selects.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { named, nothing } from './shapes.ts'

const { lookup } = callsOf('reference')

export const Lookup = named.extend({})
const names = z.array(Lookup)

/** Identifies it for the server; the name is for people. */
export const roles = ['viewer', 'editor', 'front_desk'] as const
export const UserType = named.extend({ role: z.enum(roles) })
export const Country = named.extend({
  /** ISO 3166-1 alpha-2. */
  code: z.string(),
  dialling_code: z.string(),
  /** IANA name of the zone that most of its properties are in. */
  time_zone: z.string(),
  /** All zones in the country. */
  time_zones: z.array(z.string()),
  /** Whether these zones show different times. */
  several_clocks: z.boolean(),
})

export const propertyTypes = lookup('/property-types', nothing, names)
export const userTypes = lookup('/user-types', nothing, z.array(UserType))
export const propertyInterfaceTypes = lookup('/property-interface-types', nothing, names)
export const authMethods = lookup('/auth-methods', nothing, names)
export const connectivityTypes = lookup('/connectivity-types', nothing, names)
export const accountTypes = lookup('/account-types', nothing, names)
export const countries = lookup('/countries', nothing, z.array(Country))
export const gatewayTypes = lookup('/gateway-types', nothing, names)
export const portalFonts = lookup('/portal-fonts', nothing, names)
export const portalLayouts = lookup('/portal-layouts', nothing, names)
export const portalTypes = lookup('/portal-types', nothing, names)
export const frequencyTypes = lookup('/frequency-types', nothing, names)
