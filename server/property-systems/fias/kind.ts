// Oracle FIAS: a connection over TCP that is kept, on which the property's side tells its guests.
import type { PropertySystem } from '#server/property-systems/kind.ts'
import { definition } from './definition.ts'
import { talk } from './link.ts'
import { isInterfaceKey } from './translation.ts'

export const fias: PropertySystem = {
  definition,
  talk,
  asksForAll: true,
  refuses: ({ auth_key }) =>
    typeof auth_key !== 'string' || auth_key === '' || isInterfaceKey(auth_key)
      ? null
      : { auth_key: 'This is not an interface key: one has 24 letters and digits and ends in “==”.' },
}
