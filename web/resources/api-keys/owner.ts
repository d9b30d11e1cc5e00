// Key owner: whose API keys a screen shows (the user's own, a group's or a property's), and the calls for them.
import * as apiKeys from '#contract/api-keys.ts'
import { to } from '#web/paths.ts'
import { session } from '#web/session/session.ts'

/** At most one of them; if neither is given, the user's own keys. */
export interface KeyOwner {
  group_id?: number
  property_id?: number
}

const calls = {
  user: { list: apiKeys.listOfUser, create: apiKeys.createForUser, remove: apiKeys.removeOfUser },
  group: { list: apiKeys.listOfGroup, create: apiKeys.createForGroup, remove: apiKeys.removeOfGroup },
  property: { list: apiKeys.listOfProperty, create: apiKeys.createForProperty, remove: apiKeys.removeOfProperty },
}
export const kindOfOwner = ({ group_id, property_id }: KeyOwner): keyof typeof calls =>
  property_id !== undefined ? 'property' : group_id !== undefined ? 'group' : 'user'
export const callsOf = (owner: KeyOwner) => calls[kindOfOwner(owner)]

/** The address of the list of these keys. */
export const listOf = ({ group_id, property_id }: KeyOwner): string =>
  property_id !== undefined
    ? to.property(property_id, 'api_keys')
    : group_id !== undefined
      ? to.group(group_id, 'api_keys')
      : to.userProfile(session.get().user?.id ?? 0, 'api_keys')
