// Unique: the sentences for violations of unique indexes that a form can cause.
import type { FieldErrors } from '#contract/errors.ts'
import { messages } from '#contract/messages.ts'

/** By the index's name, the sentence for the field that it is about. */
export const uniqueSentences: Record<string, FieldErrors> = {
  access_points_accepted_unique: { accept: ['Another gateway has one of these access points. Drop it there first.'] },
  accounts_name_unique: { name: ['The property already has an account with this name.'] },
  accounts_username_unique: { username: ['Another account of the property has this username.'] },
  devices_mac_address_unique: { mac_address: ['Another device of the property has this MAC address.'] },
  gateways_mac_address_unique: { mac_address: ['Another gateway has this MAC address.'] },
  gateways_nas_identifier_unique: { nas_identifier: ['Another gateway has this NAS identifier.'] },
  guests_email_unique: { email: ['Another guest has this e-mail address.'] },
  guests_mobile_number_unique: { mobile_number: ['Another guest has this mobile number.'] },
  mac_categories_name_unique: { name: ['There is already a category with this name.'] },
  property_holidays_once: { starts_on: ['The property already has a holiday on these days.'] },
  portals_name_unique: { name: [messages.portal.exists] },
  portals_slug_unique: { slug: [messages.portal.exists] },
  portal_footers_one_of_customer: { image: ['There is already a footer. Change it, or delete it first.'] },
  rooms_number_unique: { number: ['The property already has a room with this number.'] },
  users_email_unique: { email: ['This person already has a user here.'] },
}
