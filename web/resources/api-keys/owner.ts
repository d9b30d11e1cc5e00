// Key owner: whose API keys a screen is about: one's own, a group's or a property's; and which calls those are.
import * as apiKeys from '#contract/api-keys.ts'
import { to } from '#web/paths.ts'
import { session } from '#web/session/session.ts'

/** At most one of them; neither: one's own. */
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

/** Where these keys are listed. */
export const listOf = ({ group_id, property_id }: KeyOwner): string =>
  property_id !== undefined
    ? to.property(property_id, 'api_keys')
    : group_id !== undefined
      ? to.group(group_id, 'api_keys')
      : to.userProfile(session.get().user?.id ?? 0, 'api_keys')
