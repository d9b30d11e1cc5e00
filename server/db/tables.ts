// Tables: the columns of every table, as the migrations made them. Written by `npm run tables`, never by hand.

import type { ColumnType } from 'kysely'

export type ArrayType<T> = ArrayTypeImpl<T> extends (infer U)[] ? U[] : ArrayTypeImpl<T>

export type ArrayTypeImpl<T> = T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S[], I[], U[]> : T[]

export type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>

export type Json = JsonValue

export type JsonArray = JsonValue[]

export type JsonObject = {
  [x: string]: JsonValue | undefined
}

export type JsonPrimitive = boolean | number | string | null

export type JsonValue = JsonArray | JsonObject | JsonPrimitive

export type Numeric = ColumnType<number, number | string, number | string>

export interface AccessPasses {
  account_id: number | null
  auth_method_id: number
  created_at: Generated<string>
  customer_id: Generated<number>
  device_id: number | null
  /**
   * When it cannot be used any more: 90 seconds after it was made.
   */
  expires_at: string
  gateway_id: number
  guest_id: number | null
  id: Generated<number>
  mac_address: string | null
  package_id: number | null
  /**
   * What the gateway sends in place of the guest's own secret; sealed with the installation's key.
   */
  sealed_password: Buffer
  /**
   * When the guest pressed the button there.
   */
  signed_out_at: string | null
  /**
   * SHA-256 of the key in the address of the guest's status page.
   */
  status_key_hash: Buffer | null
  trial_id: Generated<number | null>
  used_at: string | null
  /**
   * What the gateway sends in place of the guest's own name.
   */
  username: string
  voucher_id: number | null
}

export interface AccessPoints {
  /**
   * Null: a claim that nobody has accepted yet.
   */
  accepted_at: string | null
  created_at: Generated<string>
  customer_id: Generated<number>
  gateway_id: number
  id: Generated<number>
  last_seen_at: string | null
  mac_address: string
  /**
   * As redirects call it.
   */
  name: string | null
}

export interface AccountingContacts {
  accounting_integration_id: number
  created_at: Generated<string>
  customer_id: Generated<number>
  deleted_at: string | null
  email_address: string | null
  external_id: string
  first_name: string | null
  id: Generated<number>
  last_name: string | null
  merged_into: string | null
  name: string | null
  search: Generated<string>
  status: string | null
  type: string | null
}

export interface AccountingIntegrations {
  account_code: string | null
  accounts: Generated<Json>
  active: Generated<boolean>
  connected_at: string | null
  /**
   * Contacts that changed later, by the provider's clock, are still to be read.
   */
  contacts_since: string | null
  created_at: Generated<string>
  customer_id: Generated<number>
  deleted_at: string | null
  failures: Generated<number>
  group_id: number | null
  id: Generated<number>
  integration_type: Generated<string>
  invoice_per: Generated<string>
  last_error: string | null
  name: string | null
  needs_reconnect: Generated<boolean>
  next_sync_at: string | null
  organisation_id: string | null
  organisations: Generated<Json>
  property_id: number | null
  scopes: string | null
  /**
   * The provider's word for the organisation in addresses of its pages.
   */
  short_code: string | null
  status: Generated<string>
  synced_at: string | null
  tax_type: string | null
  tax_types: Generated<Json>
  /**
   * The organisation that was chosen at the provider.
   */
  tenant_id: string | null
}

export interface AccountPasswords {
  account_id: number
  created_at: Generated<string>
  customer_id: Generated<number>
  id: Generated<number>
  /**
   * AES-256-GCM with the installation's key, bound to this row; so is every column that begins with sealed.
   */
  sealed_password: Buffer
}

export interface Accounts {
  account_type_id: Generated<number>
  active: Generated<boolean>
  created_at: Generated<string>
  customer_id: Generated<number>
  deleted_at: string | null
  draft: Generated<boolean>
  email: string | null
  expires_at: string | null
  external_reference: string | null
  id: Generated<number>
  /**
   * The property's system says that the guest is in dispute: packages may refuse them.
   */
  in_dispute: Generated<boolean>
  logged_in_at: string | null
  mobile_number: string | null
  name: string
  package_id: number | null
  property_id: number
  room_id: number | null
  /**
   * The number of the room, kept by a trigger so that lists need not read rooms.
   */
  room_number: string | null
  search: Generated<string>
  /**
   * New, and its guest was not told the sign-in yet. Those from before count as told, and imported ones, where a person is asked.
   */
  sign_in_due: Generated<boolean>
  status: Generated<string>
  username: string | null
  /**
   * The username in the form in which two are the same (same_fold): what a sign-in is looked up by.
   */
  username_key: Generated<string | null>
}

export interface AccountTypes {
  id: number
  name: string
}

export interface Activity {
  action: string
  actor_email: string | null
  actor_name: string | null
  /**
   * The fields that changed, as they became; of what has no fields, what was done.
   */
  after: Json | null
  /**
   * The fields that changed, as they were.
   */
  before: Json | null
  created_at: Generated<string>
  customer_id: Generated<number>
  /**
   * Whose line it is: a group's users see their own.
   */
  group_id: number | null
  id: Generated<number>
  ip: string | null
  object_id: number | null
  object_name: string | null
  object_type: string | null
  /**
   * Of the API key, gateway, guest or job that did it, by principal_kind.
   */
  principal_id: number | null
  principal_kind: Generated<string>
  /**
   * Whose line it is: a property's users see their own.
   */
  property_id: number | null
  search: Generated<string>
  /**
   * The handle of the session in which it was done.
   */
  session: string | null
  user_id: number | null
}

export interface AddressConfirmations {
  expires_at: string
  login_id: number
  /**
   * SHA-256 of the key in the link.
   */
  token_hash: Buffer
}

export interface ApiKeys {
  created_at: Generated<string>
  created_by_user_id: number | null
  customer_id: Generated<number>
  deleted_at: string | null
  email: string | null
  expires_at: string | null
  group_id: number | null
  id: Generated<number>
  last_used_at: string | null
  name: string
  /**
   * Areas and actions as in contract/permissions.ts; it does nothing else.
   */
  permissions: Generated<string[]>
  property_id: number | null
  /**
   * The properties that it is limited to; empty: all in reach of its owner.
   */
  property_ids: Generated<number[]>
  search: Generated<string>
  /**
   * The first characters of the key, by which its owner knows it.
   */
  token_start: string
  user_id: number | null
}

export interface ApiKeySecrets {
  api_key_id: number
  customer_id: Generated<number>
  id: Generated<number>
  /**
   * SHA-256 of the key, which nobody can read again.
   */
  token_hash: Buffer
}

export interface AttentionMarks {
  about_id: number
  customer_id: Generated<number>
  id: Generated<number>
  /**
   * The kind of entry that was dealt with or put off.
   */
  kind: string
  marked_at: Generated<string>
  marked_by: string
  /**
   * When it comes again; null: it was dealt with, until it happens anew.
   */
  put_off_until: string | null
}

export interface AuthMethods {
  id: number
  name: string
}

export interface BillingInvoiceLines {
  amount: Numeric
  billing_invoice_id: number
  billing_line_id: number
  created_at: Generated<string>
  customer_id: Generated<number>
  description: string
  id: Generated<number>
  released: Generated<boolean>
}

export interface BillingInvoices {
  account_code: string | null
  accounting_contact_id: number | null
  accounting_integration_id: number | null
  amount: Numeric
  amount_answered: Numeric | null
  asked_by_key_id: number | null
  asked_by_user_id: number | null
  /**
   * The right by which it was asked for; asked again when it goes.
   */
  asked_right: string | null
  attempts: Generated<number>
  billing_run_id: number
  /**
   * The try that is at it, until claimed_until; others leave it alone.
   */
  claim: string | null
  claimed_until: string | null
  created_at: Generated<string>
  currency: string
  customer_id: Generated<number>
  dated_on: Generated<string>
  external_id: string | null
  /**
   * What the provider says of a draft that was taken away there; it is never taken back.
   */
  gone_as: string | null
  id: Generated<number>
  /**
   * What the provider takes a repetition by, so that a draft is made once.
   */
  idempotency_key: Generated<string>
  /**
   * The provider whose organisation it was sent to, by the word of its definition.
   */
  integration_type: Generated<string>
  /**
   * It was sent and no answer came; it is looked up before it is sent again.
   */
  is_unsure: Generated<boolean>
  kind: Generated<string>
  last_error: string | null
  /**
   * Where a person mends what the books refused: at the property's contact, or at the connection.
   */
  last_fix: string | null
  next_try_at: string | null
  number: string | null
  property_id: number | null
  property_name: string | null
  /**
   * When its lines were asked for anew.
   */
  replaced_at: string | null
  sent_at: string | null
  state: Generated<string>
  tax_answered: Numeric | null
  tax_type: string | null
  /**
   * The organisation that it was sent to, by its id at the provider (integration_type).
   */
  tenant_id: string | null
  url: string | null
}

export interface BillingLines {
  accounting_contact_id: number | null
  amount: Numeric
  billing_run_id: number
  created_at: Generated<string>
  currency: string
  customer_id: Generated<number>
  days_in_month: number
  group_id: number | null
  id: Generated<number>
  kind: Generated<string>
  month: string
  property_id: number | null
  property_name: string
  rate_per_unit: Numeric | null
  reason: Generated<string>
  /**
   * Nights times units that are billed.
   */
  unit_days: number
  why_changed: string | null
}

export interface BillingNights {
  approved: Generated<boolean>
  /**
   * The occupied units, at least floor_units and at most all.
   */
  billable_units: number
  billing_line_id: number
  billing_run_id: number
  created_at: Generated<string>
  currency: string
  customer_id: Generated<number>
  /**
   * The units that the minimum, or the holiday's percentage, comes to.
   */
  floor_units: number
  holiday: string | null
  id: Generated<number>
  is_holiday: boolean
  kind: string
  night: string
  occupied_units: number
  percentage: Numeric
  property_id: number
  rate_per_unit: Numeric
  /**
   * What decided: `occupied`, `minimum` or `holiday`.
   */
  reason: string
  room_numbers: Generated<string[]>
  total_units: number
  /**
   * Of the night in occupancy_nights.
   */
  version: number
}

export interface BillingRuns {
  approved_at: string | null
  approved_by: string | null
  approved_by_user_id: number | null
  created_at: Generated<string>
  customer_id: Generated<number>
  deleted_at: string | null
  id: Generated<number>
  name: string
  period_end: string
  period_start: string
  /**
   * The properties that it was drawn for.
   */
  property_ids: Generated<number[]>
  report_id: number | null
}

export interface CollectionProperties {
  collection_id: number
  created_at: Generated<string>
  customer_id: Generated<number>
  id: Generated<number>
  property_id: number
}

export interface Collections {
  active: Generated<boolean>
  created_at: Generated<string>
  customer_id: Generated<number>
  deleted_at: string | null
  draft: Generated<boolean>
  group_id: number | null
  id: Generated<number>
  name: string
  search: Generated<string>
  status: Generated<string>
}

export interface CollectionUsers {
  collection_id: number
  created_at: Generated<string>
  customer_id: Generated<number>
  id: Generated<number>
  user_id: number
}

export interface Connections {
  active: Generated<boolean>
  /**
   * Whether a person has chosen what it is to, where there are several.
   */
  chosen: Generated<boolean>
  connected_at: string | null
  created_at: Generated<string>
  customer_id: Generated<number>
  deleted_at: string | null
  /**
   * Tries in vain since one went well.
   */
  failures: Generated<number>
  group_id: number | null
  id: Generated<number>
  integration_type: string
  /**
   * The word of its kind, as the program declares it.
   */
  kind: string
  last_error: string | null
  name: string | null
  /**
   * Consent has ended: nothing is asked until a person gives it anew.
   */
  needs_reconnect: Generated<boolean>
  /**
   * The id by which the calls of its kind know it, in the table of its kind; null: the kind has neither.
   */
  own_id: number | null
  /**
   * The package that owns it: of property systems alone.
   */
  owner_package_id: number | null
  property_id: number | null
  /**
   * By the keys of the parameters of its provider. Secrets are not among them.
   */
  settings: Generated<Json>
  status: Generated<string>
  synced_at: string | null
}

export interface ConnectionSecrets {
  changed_at: Generated<string>
  connection_id: number
  customer_id: Generated<number>
  id: Generated<number>
  key: string
  sealed_value: Buffer
}

export interface ConnectivityTypes {
  id: number
  name: string
}

export interface ConsentRecords {
  auth_method_id: number | null
  /**
   * When the address was proven that it is about.
   */
  confirmed_at: string | null
  created_at: Generated<string>
  customer_id: Generated<number>
  gateway_id: number | null
  granted_at: Generated<string>
  guest_id: number | null
  id: Generated<number>
  ip: string | null
  language: string | null
  mac_address: string | null
  method: string
  portal_id: number | null
  property_id: number | null
  purpose: string
  synced_at: string | null
  /**
   * The number of the portal's terms; null: not of terms.
   */
  terms_version: number | null
  trial_id: Generated<number | null>
  user_agent: string | null
  withdrawn_at: string | null
  withdrawn_via: string | null
  /**
   * The sentence that they agreed to, as they saw it.
   */
  wording: string
}

export interface ControllerGrants {
  access_pass_id: number
  authorisation_id: number
  /**
   * What its former counts had come to.
   */
  bytes_down_before: Generated<number>
  /**
   * What its former counts had come to.
   */
  bytes_up_before: Generated<number>
  /**
   * When its present count began, by the controller's clock.
   */
  counted_from: number | null
  created_at: Generated<string>
  customer_id: Generated<number>
  /**
   * When what was granted is over.
   */
  ends_at: string | null
  gateway_id: number
  granted_at: string | null
  id: Generated<number>
  mac_address: string
  problem: string | null
  /**
   * What the redirect said that the controller is told again.
   */
  sent: Json
  /**
   * `waiting` until the controller has answered.
   */
  state: Generated<string>
}

export interface Countries {
  code: string
  currency: string
  dialling_code: string
  id: number
  name: string
  /**
   * Its zones do not all show the same time, so that a property's is to be given.
   */
  several_clocks: boolean
  time_zone: string
  time_zones: string[]
}

export interface CustomerHours {
  customer_id: Generated<number>
  /**
   * Its beginning.
   */
  hour: string
  id: Generated<number>
  /**
   * The sum of its properties' peaks of that hour.
   */
  online: number
}

export interface Customers {
  active: Generated<boolean>
  /**
   * Lines of the activity log from before are deleted. Null: none are.
   */
  activity_kept_since: string | null
  /**
   * When an address of its people was proven: its mails to others wait for that.
   */
  confirmed_at: string | null
  contact_email: string | null
  country_id: number | null
  created_at: Generated<string>
  currency: Generated<string>
  deleted_at: string | null
  desk_contact: string | null
  id: Generated<number>
  name: string
  /**
   * Of a sample: the day by which its stays are dated; null: it is being deleted.
   */
  sample_day: string | null
  /**
   * The customer for whose people this sample was made; null: it is none.
   */
  sample_of: number | null
  second_factor_required: Generated<boolean>
  /**
   * Single sessions that began before may be deleted. Null: none are.
   */
  sessions_kept_since: string | null
  /**
   * Sessions that ended before may be packed. Null: none are.
   */
  sessions_packed_before: string | null
  status: Generated<string>
  /**
   * The first day of which sums stand; those of days before are deleted. Null: none are.
   */
  sums_kept_since: string | null
  time_zone: Generated<string>
  voucher_batches_made: Generated<number>
}

export interface Devices {
  accounting_contact_id: number | null
  active: Generated<boolean>
  created_at: Generated<string>
  customer_id: Generated<number>
  deleted_at: string | null
  external_reference: string | null
  id: Generated<number>
  mac_address: string
  mac_category_id: number | null
  name: string
  package_id: number | null
  property_id: number
  room_id: number | null
  room_number: string | null
  search: Generated<string>
  status: Generated<string>
}

export interface DueWork {
  /**
   * The row of the kind's own table.
   */
  about_id: number
  created_at: Generated<string>
  customer_id: Generated<number>
  /**
   * When it was first tried in vain, since it was last done or given up.
   */
  failing_since: string | null
  id: Generated<number>
  /**
   * A try of which no answer came may have done it.
   */
  is_unsure: Generated<boolean>
  /**
   * The name of a kind; server/apps/due-work.ts lists them.
   */
  kind: string
  /**
   * What shares one other side, such as a connection.
   */
  lane: string | null
  last_error: string | null
  /**
   * Of the try that is under way; who has another is too late.
   */
  lease: string | null
  /**
   * When it is due; while it is tried, when another node may take it.
   */
  next_at: Generated<string>
  /**
   * The other side of its lane does not answer, and another piece of it asks: it is due when that is answered, at the latest at next_at.
   */
  rests: Generated<boolean>
  /**
   * `failed`: given up. `unknown`: nobody can tell whether it was done.
   */
  state: Generated<string>
  /**
   * Those that counted.
   */
  tries: Generated<number>
  /**
   * It goes before what is not, of all customers.
   */
  urgent: Generated<boolean>
  /**
   * When it is wanted once more, by what happened while it was being tried.
   */
  wanted_at: string | null
}

export interface Events {
  created_at: Generated<string>
  customer_id: Generated<number>
  data: Generated<Json>
  group_id: number | null
  /**
   * Whom it is about, so that an erasure finds it.
   */
  guest_id: number | null
  id: Generated<number>
  object: string
  object_id: number
  property_id: number | null
  /**
   * Of its object, from 1, whatever the type of the event.
   */
  sequence: number
  type: string
  /**
   * What the receiver knows it by, the same at each repetition.
   */
  uuid: Generated<string>
}

export interface EventSequences {
  customer_id: Generated<number>
  id: Generated<number>
  last: Generated<number>
  object: string
  object_id: number
}

export interface FailedJobs {
  customer_id: Generated<number>
  id: Generated<number>
  name: string
  queue: string
  since: Generated<string>
}

export interface Files {
  byte_size: number
  content_type: string
  created_at: Generated<string>
  customer_id: Generated<number>
  deleted_at: string | null
  height: number | null
  id: Generated<number>
  name: string
  public_id: Generated<string>
  /**
   * The key under which its content is encrypted in the storage; null: it lies there as it is.
   */
  sealed_key: Buffer | null
  sha256: Buffer
  width: number | null
}

export interface FrequencyTypes {
  id: number
  name: string
}

export interface GatewayAddresses {
  address: string
  customer_id: Generated<number>
  gateway_id: number
  id: Generated<number>
  /**
   * When a signed packet last came from there, to the hour.
   */
  proven_at: Generated<string>
  /**
   * When the first one did.
   */
  since: Generated<string>
}

export interface GatewayControllers {
  answered_at: string | null
  customer_id: Generated<number>
  gateway_id: number
  id: Generated<number>
  polled_at: string | null
  /**
   * Where it asked from, so that nobody else takes what is meant for it.
   */
  polled_from: string | null
  /**
   * The names by which it asks, learnt from its redirects, the newest first.
   */
  polls_as: Generated<string[]>
  /**
   * Why it could not be used, for people.
   */
  problem: string | null
  problem_at: string | null
  /**
   * Of a certificate that it showed and nobody has accepted.
   */
  shown_fingerprint: string | null
}

export interface Gateways {
  active: Generated<boolean>
  /**
   * Requests to it are paced over all nodes: the next packet goes out no sooner.
   */
  asked_until: string | null
  /**
   * By name: what a box's clock is behind ours, in milliseconds, since when that is in doubt, and when it last began anew.
   */
  boxes: Generated<Json>
  /**
   * Its counters are the gateway's: what it received is what the guest sent.
   */
  counts_from_gateway_side: Generated<boolean>
  created_at: Generated<string>
  customer_id: Generated<number>
  deleted_at: string | null
  /**
   * The UDP port at which it takes our requests.
   */
  disconnect_port: Generated<number>
  dns_name: string | null
  gateway_dns_setting: string | null
  gateway_type_id: number
  guests_seen_at: string | null
  /**
   * When it last sent a guest to the portal.
   */
  guests_sent_at: string | null
  id: Generated<number>
  ip_address: string | null
  /**
   * Where its packets last came from.
   */
  last_address: string | null
  last_seen_at: string | null
  login_method: Generated<string>
  mac_address: string | null
  name: string | null
  /**
   * How it names itself to RADIUS; unique in its customer.
   */
  nas_identifier: Generated<string>
  /**
   * The label of its own portal host under PORTAL_HOSTS.
   */
  portal_label: Generated<string | null>
  property_id: number
  /**
   * When it sent a guest to the portal after it was last heard.
   */
  redirected_at: string | null
  refused_at: string | null
  /**
   * Why its packets were last left unanswered.
   */
  refused_for: string | null
  search: Generated<string>
  settings: Generated<Json>
  /**
   * When it was last heard, while it counts as silent.
   */
  silent_since: string | null
  status: Generated<string>
  /**
   * Old software that signs no access request: it is answered all the same.
   */
  takes_unsigned: Generated<boolean>
  trial_id: Generated<number | null>
  username: string | null
}

export interface GatewaySecrets {
  customer_id: Generated<number>
  gateway_id: number
  has_password: Generated<boolean>
  id: Generated<number>
  radius_secret_made_at: string | null
  sealed_password: Buffer | null
  sealed_radius_secret: Buffer | null
}

export interface GatewaySettingSecrets {
  changed_at: Generated<string>
  customer_id: Generated<number>
  gateway_id: number
  id: Generated<number>
  key: string
  sealed_value: Buffer
}

export interface GatewayTypes {
  id: number
  name: string
}

export interface Groups {
  active: Generated<boolean>
  contact_email: string | null
  created_at: Generated<string>
  customer_id: Generated<number>
  deleted_at: string | null
  draft: Generated<boolean>
  id: Generated<number>
  name: string
  portal_id: number | null
  search: Generated<string>
  status: Generated<string>
}

export interface GuestDays {
  auth_method_id: number | null
  customer_id: Generated<number>
  /**
   * By the property's clock.
   */
  day: string
  /**
   * The first day on which this guest was ever there.
   */
  first_seen: boolean
  /**
   * The guest's pseudonym (guest_pseudonym); a random one once they are erased.
   */
  guest: Buffer
  id: Generated<number>
  property_id: number
}

export interface GuestDaySums {
  /**
   * All the ways in which they signed in that day; 0: none known.
   */
  auth_method_ids: number[]
  customer_id: Generated<number>
  day: string
  guests: number
  id: Generated<number>
  new_guests: number
  property_id: number
}

export interface GuestDevices {
  account_id: number | null
  auth_method_id: number | null
  created_at: Generated<string>
  customer_id: Generated<number>
  guest_id: number | null
  id: Generated<number>
  last_seen_at: Generated<string>
  mac_address: string
  /**
   * What the device is let in with when it comes back without a form.
   */
  package_id: number | null
  /**
   * When its guest pressed the button; it has to sign in again.
   */
  signed_out_at: string | null
  trial_id: Generated<number | null>
  voucher_id: number | null
  /**
   * A place within the package's limit is kept for the device until then, before its session is reported.
   */
  waits_until: string | null
}

export interface GuestFirstDays {
  customer_id: Generated<number>
  first_day: string
  /**
   * The guest's pseudonym (guest_pseudonym); a random one once they are erased.
   */
  guest: Buffer
  id: Generated<number>
  /**
   * The row goes with the days of guests up to it; who comes later counts as new again.
   */
  last_day: string
  property_id: number
}

export interface Guests {
  auth_method_id: number | null
  /**
   * When they proved that the address is theirs.
   */
  confirmed_at: string | null
  created_at: Generated<string>
  customer_id: Generated<number>
  deleted_at: string | null
  email: string | null
  first_seen_at: Generated<string>
  /**
   * Until when they are online to read the mail that confirms the address.
   */
  grace_ends_at: string | null
  id: Generated<number>
  language: string | null
  last_seen_at: Generated<string>
  mobile_number: string | null
  name: string | null
  property_id: number | null
  /**
   * The person of the property's system who they signed in as, by room and name.
   */
  room_guest_id: number | null
  search: Generated<string>
  trial_id: Generated<number | null>
  /**
   * Sign-ins at a portal.
   */
  visits: Generated<number>
  /**
   * The device on which an address was typed that nobody has confirmed yet: a claim, which counts for nobody else.
   */
  waiting_mac_address: string | null
}

export interface HourLedgers {
  /**
   * Hours that ended until then are counted.
   */
  counted_until: string
  customer_id: Generated<number>
  id: Generated<number>
}

export interface IdempotencyKeys {
  /**
   * A hash of the request: another one with the same key is refused.
   */
  body_hash: Buffer
  created_at: Generated<string>
  customer_id: Generated<number>
  endpoint: string
  id: Generated<number>
  key: string
  principal_id: number
  principal_kind: string
  /**
   * The first answer, sealed, for 24 hours.
   */
  sealed_answer: Buffer | null
  status: number | null
}

export interface ImportRows {
  /**
   * What the columns held that the import writes, a password sealed; null where the import made the record.
   */
  before: Json | null
  customer_id: Generated<number>
  id: Generated<number>
  import_id: number
  /**
   * A digest of the record as the import left it: by it a later change shows.
   */
  left_as: Buffer
  record_id: number
  record_table: string
  /**
   * The import took the record out.
   */
  removed: Generated<boolean>
}

export interface Imports {
  actor_name: string | null
  created: Generated<number>
  created_at: Generated<string>
  customer_id: Generated<number>
  duplicates: Generated<number>
  file_name: string | null
  finished_at: string | null
  id: Generated<number>
  kind: string
  /**
   * Guests whom a list of rooms no longer had.
   */
  moved_out: Generated<number>
  outcome: Generated<string>
  overwritten: Generated<number>
  /**
   * Lines that were not taken, with why; forgotten after 24 hours.
   */
  problems: Json | null
  property_id: number | null
  property_ids: Generated<number[]>
  search: Generated<string>
  total: Generated<number>
  /**
   * Until when it can be undone; null: no more.
   */
  undo_until: string | null
  undone_at: string | null
  undone_by: string | null
  user_id: number | null
}

export interface Installation {
  id: number
  /**
   * Of the secret keys in use, the one that seals first.
   */
  key_ids: ArrayType<Buffer>
  /**
   * The key of fingerprints of voucher codes and recovery codes; it stays when the secret key is changed.
   */
  sealed_fingerprint_key: Buffer
  sealed_sftp_host_key: Buffer | null
}

export interface IntegrationTokens {
  accounting_integration_id: number | null
  changed_at: Generated<string>
  connection_id: number | null
  customer_id: Generated<number>
  expires_at: string | null
  id: Generated<number>
  marketing_integration_id: number | null
  property_interface_id: number | null
  /**
   * The node that is renewing them, until renewing_until; others wait.
   */
  renewal: string | null
  renewing_until: string | null
  sealed_access_token: Buffer
  sealed_refresh_token: Buffer | null
}

export interface Invitations {
  accepted_at: string | null
  created_at: Generated<string>
  customer_id: Generated<number>
  email: string
  expires_at: string
  id: Generated<number>
  invited_by_user_id: number | null
  /**
   * SHA-256 of the key in the link.
   */
  token_hash: Buffer
  user_id: number
}

export interface LoginAddresses {
  last_used_at: Generated<string>
  login_id: number
  /**
   * An IPv4 address, or the /64 of an IPv6 one.
   */
  network: string
}

export interface LoginDevices {
  /**
   * SHA-256 of the login and the mark that the browser keeps.
   */
  device_hash: Buffer
  last_used_at: Generated<string>
  login_id: number
}

export interface Logins {
  confirmed_at: string | null
  created_at: Generated<string>
  email: string
  id: Generated<number>
  language: string | null
  /**
   * The user that acted last, with whom the next sign-in begins.
   */
  last_user_id: number | null
  name: string
  password_changed_at: string | null
  /**
   * Argon2id, with its salt and parameters.
   */
  password_hash: string
  /**
   * The address that its holder took off, which cannot be given again.
   */
  taken_off: string | null
  /**
   * When; null once another address was given. Seven days later the sign-up ends.
   */
  taken_off_at: string | null
}

export interface MacCategories {
  active: Generated<boolean>
  blocks: Generated<boolean>
  created_at: Generated<string>
  customer_id: Generated<number>
  deleted_at: string | null
  id: Generated<number>
  name: string
  search: Generated<string>
  status: Generated<string>
}

export interface MacCategoryTemplates {
  blocks: Generated<boolean>
  id: number
  name: string
}

export interface MarketingIntegrations {
  active: Generated<boolean>
  audience_id: string | null
  audiences: Generated<Json>
  /**
   * What changed later at the provider, by its clock, is still to be read.
   */
  changes_since: string | null
  connected_at: string | null
  created_at: Generated<string>
  customer_id: Generated<number>
  deleted_at: string | null
  failures: Generated<number>
  group_id: number | null
  id: Generated<number>
  integration_type: Generated<string>
  last_error: string | null
  /**
   * Up to when our own consents were looked through.
   */
  looked_at: string | null
  name: string | null
  needs_reconnect: Generated<boolean>
  next_sync_at: string | null
  property_id: number | null
  status: Generated<string>
  synced_at: string | null
  tenant_id: string | null
}

export interface MarketingMembers {
  attempts: Generated<number>
  consent_record_id: number | null
  created_at: Generated<string>
  customer_id: Generated<number>
  /**
   * When it is tried next; null: as soon as it waits.
   */
  due_at: string | null
  guest_id: number | null
  id: Generated<number>
  marketing_integration_id: number
  /**
   * How the provider knows them, in its own words.
   */
  provider_state: string | null
  reason: string | null
  /**
   * When the provider refused to take out somebody who withdrew; it is asked again once their consent or the connection has changed.
   */
  refused_at: string | null
  /**
   * They left, and agreed again.
   */
  returns: Generated<boolean>
  /**
   * A digest of the names that were sent.
   */
  sent_as: string | null
  sent_at: string | null
  /**
   * `leaving`: to be taken out at the provider; `refused`: it does not take them.
   */
  state: Generated<string>
  /**
   * What the provider knows the guest by; it stays when they are erased here, until they are erased there.
   */
  subscriber_key: string
}

export interface NightLedgers {
  /**
   * The first date that the property has a night of.
   */
  begins_on: string
  created_at: Generated<string>
  customer_id: Generated<number>
  id: Generated<number>
  /**
   * The first date from which nights are written.
   */
  kept_from: string
  /**
   * The last date whose night is written.
   */
  kept_until: string
  property_id: number
}

export interface OauthStates {
  created_at: Generated<string>
  customer_id: number
  expires_at: string
  /**
   * The connection that is connected anew; null: a new one.
   */
  integration_id: number | null
  integration_type: string
  kind: string
  sealed_code_verifier: Buffer | null
  /**
   * SHA-256 of the state that comes back from the provider.
   */
  state_hash: Buffer
  used_at: string | null
  user_id: number
}

export interface OccupancyNights {
  accounting_contact_id: number | null
  created_at: Generated<string>
  currency: Generated<string>
  customer_id: Generated<number>
  group_id: number | null
  holiday: string | null
  holiday_billable_percentage: Numeric
  id: Generated<number>
  is_holiday: Generated<boolean>
  known: Generated<boolean>
  minimum_billable_percentage: Numeric
  night: string
  note: string | null
  noted_by: string | null
  noted_by_user_id: number | null
  occupied_units: number | null
  property_id: number
  property_name: Generated<string>
  /**
   * For a unit and night, in the currency, as it was then.
   */
  rate_per_unit: Generated<Numeric>
  room_numbers: Generated<string[]>
  superseded: Generated<boolean>
  time_zone: Generated<string>
  /**
   * Null, as all numbers: nobody knows; unknown_because says why.
   */
  total_units: number | null
  unknown_because: string | null
  /**
   * From 1; a correction is one more, and the one before is superseded.
   */
  version: Generated<number>
}

export interface OneTimeCodes {
  address: string
  /**
   * Codes that were tried; after five it is over.
   */
  attempts: Generated<number>
  channel: string
  /**
   * A keyed hash of the code.
   */
  code_hash: Buffer
  created_at: Generated<string>
  customer_id: Generated<number>
  delivery: string | null
  expires_at: string
  gateway_id: number | null
  guest_id: number | null
  id: Generated<number>
  mac_address: string | null
  portal_id: number | null
  property_id: number | null
  /**
   * SHA-256 of the key in the link that confirms the same address.
   */
  token_hash: Buffer | null
  trial_id: Generated<number | null>
  used_at: string | null
}

export interface OutageNotices {
  customer_id: Generated<number>
  id: Generated<number>
  outage_id: number
  /**
   * When they were told that it is over.
   */
  over_told_at: string | null
  told_at: Generated<string>
  user_id: number
}

export interface Outages {
  began_at: string
  /**
   * When guests could get online again; half an hour later it is over.
   */
  calm_since: string | null
  customer_id: Generated<number>
  ended_at: string | null
  id: Generated<number>
  property_id: number
}

export interface OutboxMails {
  /**
   * The record it is about; its kind says of which table.
   */
  about_id: number | null
  asked_by_key_id: number | null
  /**
   * Who asked for it; asked again when it goes. Null: nobody did.
   */
  asked_by_user_id: number | null
  /**
   * The right by which it was asked for, `accounts:desk`; asked again when it goes.
   */
  asked_right: string | null
  attempts: Generated<number>
  /**
   * Against the customer's limits; what waits for its turn is counted when that comes.
   */
  counted: Generated<boolean>
  created_at: Generated<string>
  customer_id: Generated<number>
  failed_at: string | null
  file_id: number | null
  /**
   * Of a link in it: it is not sent later.
   */
  good_until: string | null
  /**
   * Since when it waits for its customer's address to be confirmed; null: it does not.
   */
  held_at: string | null
  html: string | null
  id: Generated<number>
  kind: Generated<string>
  last_error: string | null
  /**
   * A mail that has one is written once, and known by it wherever it arrives a second time.
   */
  message_key: string | null
  property_id: number | null
  recipient_email: string
  recipient_name: string | null
  /**
   * The text, until it is sent or given up, bound to the address; `text` then stands for it.
   */
  sealed_text: Buffer | null
  sent_at: string | null
  /**
   * Where its recipient ends mails of this kind.
   */
  stop_url: string | null
  subject: string
  text: string
  trial_id: Generated<number | null>
}

export interface OutboxTexts {
  about_id: number | null
  asked_by_key_id: number | null
  asked_by_user_id: number | null
  /**
   * The right by which it was asked for; asked again when it goes.
   */
  asked_right: string | null
  attempts: Generated<number>
  /**
   * Against the customer's limits; what waits for its turn is counted when that comes.
   */
  counted: Generated<boolean>
  created_at: Generated<string>
  customer_id: Generated<number>
  failed_at: string | null
  /**
   * Of the code in it: it is not sent later.
   */
  good_until: string | null
  id: Generated<number>
  kind: Generated<string>
  last_error: string | null
  /**
   * In E.164.
   */
  mobile_number: string
  property_id: number | null
  /**
   * The text, until it is sent or given up, bound to the number; `text` then stands for it.
   */
  sealed_text: Buffer | null
  sent_at: string | null
  text: string
  trial_id: Generated<number | null>
}

export interface Packages {
  active: Generated<boolean>
  created_at: Generated<string>
  customer_id: Generated<number>
  deleted_at: string | null
  id: Generated<number>
  /**
   * After as many hours without traffic the gateway ends the session; 0: it decides itself.
   */
  idle_timeout_hrs: Generated<Numeric>
  /**
   * Devices at once; 0: no limit.
   */
  max_users: Generated<number>
  name: string
  /**
   * How often the allowance begins anew; `none`: it is used once.
   */
  recurs: Generated<string>
  refused_in_dispute: Generated<boolean>
  search: Generated<string>
  /**
   * The time of a period, in hours; 0: no limit.
   */
  session_time_hrs: Generated<Numeric>
  /**
   * Each way, in Mbit/s; 0: no limit.
   */
  speed_mbps: Generated<Numeric>
  status: Generated<string>
  /**
   * The allowance of a period, in GB of 10^9 bytes; 0: no limit.
   */
  volume_gb: Generated<Numeric>
  /**
   * The unit that a person typed it in.
   */
  volume_type: Generated<string>
}

export interface PackedSessions {
  accepted_after: ArrayType<number>
  account_ids: number[]
  acct_session_ids: string[]
  /**
   * Of the arrays that begin with address: the session of each address.
   */
  address_session_ids: ArrayType<number>
  address_since_after: ArrayType<number>
  address_until_after: ArrayType<number>
  addresses: string[]
  auth_method_ids: number[]
  /**
   * Less the id of the session.
   */
  authorisation_ids: ArrayType<number>
  /**
   * When the first of them began.
   */
  began_at: string
  box_sessions: string[]
  bytes_down: ArrayType<number>
  bytes_up: ArrayType<number>
  calling_stations: string[]
  created_after: ArrayType<number>
  customer_id: Generated<number>
  /**
   * Use by day, where that does not say it.
   */
  days: ArrayType<Json>
  device_ids: number[]
  disconnect_agreed_after: ArrayType<number>
  disconnect_asked_after: ArrayType<number>
  disconnect_for: string[]
  disconnect_unknown_after: ArrayType<number>
  ends_after: ArrayType<number>
  /**
   * When the first of them to end was over; null: of rows from before it was kept.
   */
  first_over_at: string | null
  gateway_ids: number[]
  group_ids: number[]
  guest_ids: ArrayType<number>
  id: Generated<number>
  identifiers: string[]
  ips: string[]
  /**
   * Addresses and prefixes, with blanks between.
   */
  ipv6s: string[]
  /**
   * Microseconds after the beginning, as of all columns that end so.
   */
  last_seen_after: ArrayType<number>
  mac_addresses: string[]
  mac_category_ids: number[]
  /**
   * The day of a session that has no other, and all of its use.
   */
  only_days: ArrayType<string>
  /**
   * When the last of them was over.
   */
  over_at: string
  package_ids: number[]
  property_id: number
  seconds: ArrayType<number>
  /**
   * The ids they had in radius_sessions, in the order in which they began.
   */
  session_ids: ArrayType<number>
  started_ats: ArrayType<string>
  stopped_after: ArrayType<number>
  stops_inferred: boolean[]
  termination_causes: string[]
  terms: ArrayType<Json>
  usernames: string[]
  voucher_ids: ArrayType<number>
}

export interface PasswordResets {
  created_at: Generated<string>
  expires_at: string
  ip: string | null
  login_id: number
  token_hash: Buffer
  used_at: string | null
}

export interface PortalFiles {
  created_at: Generated<string>
  customer_id: Generated<number>
  file_id: number
  id: Generated<number>
  path: string
  portal_id: number
  zip_number: number
}

export interface PortalFonts {
  id: number
  name: string
}

export interface PortalFooters {
  active: Generated<boolean>
  created_at: Generated<string>
  customer_id: Generated<number>
  deleted_at: string | null
  id: Generated<number>
  image_file_id: number | null
  name: Generated<string>
  search: Generated<string>
  status: Generated<string>
  url: string | null
}

export interface PortalLayouts {
  id: number
  name: string
}

export interface Portals {
  active: Generated<boolean>
  auth_method_ids: Generated<number[]>
  background_colour: Generated<string>
  body_text_colour: Generated<string>
  button_fill_colour: Generated<string>
  button_text_colour: Generated<string>
  company_name: string | null
  created_at: Generated<string>
  custom_file_id: number | null
  custom_portal_url: string | null
  customer_id: Generated<number>
  deleted_at: string | null
  draft: Generated<boolean>
  form_container_colour: Generated<string>
  form_field_colour: Generated<string>
  group_id: number | null
  headline: Generated<string>
  headline_text_colour: Generated<string>
  /**
   * The headline by language.
   */
  headlines: Generated<Json>
  id: Generated<number>
  input_outline_colour: Generated<string>
  is_custom: Generated<boolean>
  logo_file_id: number | null
  marketing_text: string | null
  name: string
  portal_font_id: Generated<number>
  portal_footer: string | null
  portal_image_file_id: number | null
  portal_layout_id: Generated<number>
  portal_type_id: Generated<number>
  privacy_url: string | null
  /**
   * The part of the guest's address that nobody guesses.
   */
  public_id: Generated<string>
  redirect_url: Generated<string>
  search: Generated<string>
  /**
   * The customer's own short name.
   */
  slug: string
  status: Generated<string>
  terms: string | null
  /**
   * The number of the present wording of the terms.
   */
  terms_version: Generated<number>
  /**
   * The import of custom pages that is shown.
   */
  zip_number: number | null
}

export interface PortalTypes {
  id: number
  name: string
}

export interface PortalVersions {
  created_at: Generated<string>
  customer_id: Generated<number>
  design: Json
  id: Generated<number>
  logo_file_id: number | null
  number: number
  portal_id: number
  portal_image_file_id: number | null
  saved_by: string
  /**
   * The import of custom pages that it shows.
   */
  zip_number: number | null
}

export interface Properties {
  accounting_contact_id: number | null
  active: Generated<boolean>
  address: string | null
  city: string | null
  connectivity_type_id: number | null
  country_id: number | null
  created_at: Generated<string>
  currency: string | null
  customer_id: Generated<number>
  deleted_at: string | null
  /**
   * When all that goes with the removed property was removed, too.
   */
  dependents_removed_at: string | null
  draft: Generated<boolean>
  email: string | null
  external_reference: string | null
  group_id: number | null
  holiday_billable_percentage: Generated<Numeric>
  id: Generated<number>
  /**
   * How many accounts it may have; 0: no limit.
   */
  max_accounts: Generated<number>
  minimum_billable_percentage: Generated<Numeric>
  mri_communication: Generated<boolean>
  mri_enabled: Generated<boolean>
  name: string
  network_name: string | null
  package_id: number | null
  portal_id: number | null
  postal_code: string | null
  property_type_id: number | null
  /**
   * For a unit and night, in the property's currency.
   */
  rate_per_unit: Generated<Numeric>
  search: Generated<string>
  send_email: Generated<boolean>
  send_sms: Generated<boolean>
  status: Generated<string>
  sync_rooms_and_devices: Generated<boolean>
  time_zone: Generated<string>
  /**
   * The zone is that of the country, and nobody has said that it is right.
   */
  time_zone_assumed: Generated<boolean>
  total_units: Generated<number>
}

export interface PropertyHolidays {
  created_at: Generated<string>
  customer_id: Generated<number>
  deleted_at: string | null
  ends_on: string
  id: Generated<number>
  listed_country: string | null
  listed_region: string | null
  name: string
  property_id: number
  starts_on: string
}

export interface PropertyHours {
  customer_id: Generated<number>
  /**
   * Its beginning.
   */
  hour: string
  id: Generated<number>
  /**
   * Guests online at once, at most.
   */
  online: Generated<number>
  /**
   * The same among those who signed in by some methods alone: a key is the sum of 2^(method - 1). Null: counted before it was kept.
   */
  online_by_methods: Json | null
  property_id: number
  refused: Generated<number>
  sessions: Generated<number>
  /**
   * Sign-in attempts, but of devices whose guest has not seen the page yet.
   */
  tries: Generated<number>
}

export interface PropertyInterfaces {
  active: Generated<boolean>
  check_account_in_dispute: Generated<boolean>
  connected_at: string | null
  created_at: Generated<string>
  customer_id: Generated<number>
  deleted_at: string | null
  group_id: number | null
  host: string | null
  id: Generated<number>
  last_error: string | null
  last_seen_at: string | null
  name: string | null
  owner_package_id: number | null
  package_id: number | null
  port: number | null
  property_id: number | null
  property_interface_type_id: number
  sales_outlet: string | null
  search: Generated<string>
  settings: Generated<Json>
  status: Generated<string>
  /**
   * In the address to which its system posts.
   */
  uuid: Generated<string>
}

export interface PropertyInterfaceSecrets {
  customer_id: Generated<number>
  has_password: Generated<boolean>
  has_username: Generated<boolean>
  id: Generated<number>
  property_interface_id: number
  sealed_password: Buffer | null
  sealed_username: Buffer | null
}

export interface PropertyInterfaceSettingSecrets {
  changed_at: Generated<string>
  customer_id: Generated<number>
  id: Generated<number>
  key: string
  property_interface_id: number
  sealed_value: Buffer
}

export interface PropertyInterfaceTypes {
  id: number
  name: string
}

export interface PropertyLinkRecords {
  created_at: Generated<string>
  customer_id: Generated<number>
  id: Generated<number>
  personal: string | null
  property_interface_id: number
  sentence: string
}

export interface PropertyLinks {
  /**
   * What it was asked as: under other settings all stays are asked for anew.
   */
  asked_as: string | null
  /**
   * Up to when a polled system was asked what has changed, by its clock.
   */
  asked_until: string | null
  customer_id: Generated<number>
  /**
   * What a person should look into although the link is up, until a whole list is taken in without it.
   */
  doubt: string | null
  /**
   * When the system last said anything.
   */
  heard_at: string | null
  /**
   * When another node may take the link.
   */
  held_until: string | null
  /**
   * The node that keeps it.
   */
  holder: string | null
  id: Generated<number>
  /**
   * The key that was taken before did not bring the link up: it is tried once more.
   */
  key_doubted: Generated<boolean>
  /**
   * A hash of the key with which a link last came up.
   */
  key_taken: string | null
  /**
   * A hash of the key that a link was last tried with.
   */
  key_tried: string | null
  last_error: string | null
  listed_at: string | null
  /**
   * A whole list that would empty many rooms, as it was told.
   */
  pending: Json | null
  /**
   * How many guests the pending list would move out.
   */
  pending_moves_out: number | null
  property_interface_id: number
  /**
   * A hash of the settings by which the system was last read: by others all stays are told anew.
   */
  read_as: string | null
  since: Generated<string>
  state: Generated<string>
  /**
   * All stays are to be asked for: our record is new or may have lost something.
   */
  wants_all: Generated<boolean>
}

export interface PropertyStates {
  customer_id: Generated<number>
  id: Generated<number>
  online: Generated<number>
  property_id: number
  /**
   * What is wrong, and what to do.
   */
  sentence: string
  /**
   * The place of the word, the worst first: lists are sorted by it.
   */
  severity: Generated<number>
  /**
   * Since when the word applies.
   */
  since: string
  /**
   * Guests who cannot get online, or could not in the last hour.
   */
  suffering: Generated<number>
  word: string
}

export interface PropertyTypes {
  id: number
  name: string
}

export interface PseudonymKey {
  id: number
  key: Buffer
}

export interface RadiusAuthorisations {
  accepted: boolean
  account_id: number | null
  auth_method_id: number | null
  /**
   * The attempt whose Class this answer repeats; null: it has one of its own.
   */
  class_of: number | null
  created_at: Generated<string>
  customer_id: Generated<number>
  device_id: number | null
  /**
   * When what was granted is over; null: it is not limited.
   */
  ends_at: string | null
  /**
   * That secret was right, and the device had to wait all the same.
   */
  fitted: Generated<boolean>
  gateway_id: number | null
  /**
   * The account, voucher or room whose secret was tried from a device that is unknown at the property or has tried too often, `account 5`.
   */
  guessed_at: string | null
  guest_id: number | null
  id: Generated<number>
  /**
   * What was typed or asked for; of a voucher the last four characters alone, once its code is sealed.
   */
  identifier: string | null
  mac_address: string | null
  package_id: number | null
  property_id: number | null
  /**
   * Why it was answered so, as server/admission says it.
   */
  reason: string
  search: Generated<string>
  trial_id: Generated<number | null>
  voucher_id: number | null
}

export interface RadiusSessions {
  /**
   * When that attempt was answered.
   */
  accepted_at: string | null
  account_id: number | null
  acct_session_id: string
  auth_method_id: number | null
  /**
   * The attempt in radius_authorisations that let it in.
   */
  authorisation_id: number | null
  /**
   * The name by which the box takes requests about it, where that is not Acct-Session-Id.
   */
  box_session: string | null
  /**
   * To the guest, the highest that was reported.
   */
  bytes_down: Generated<number>
  /**
   * From the guest, the highest that was reported.
   */
  bytes_up: Generated<number>
  /**
   * The device as its gateway writes it, for requests to the gateway.
   */
  calling_station: string | null
  created_at: Generated<string>
  customer_id: Generated<number>
  /**
   * By local day the highest counters that were reported on it, {day: [seconds, bytes up, bytes down]}, counted from its beginning: a day's own part is what it adds to the day before.
   */
  days: Generated<Json>
  device_id: number | null
  /**
   * When its gateway agreed to end it; its last report may still come.
   */
  disconnect_agreed_at: string | null
  /**
   * When we wanted it ended.
   */
  disconnect_asked_at: string | null
  /**
   * Why we wanted it ended, as its termination cause says then.
   */
  disconnect_for: string | null
  /**
   * When its gateway last said that it knows no such session.
   */
  disconnect_unknown_at: string | null
  /**
   * When its time is over by what it was let in with; null: it is not limited.
   */
  ends_at: string | null
  gateway_id: number
  /**
   * How often its gateway had begun to count its sessions from 1 again when this one began: the same key is another session then.
   */
  generation: Generated<number>
  group_id: number | null
  guest_id: number | null
  id: Generated<number>
  /**
   * What the guest signed in with, as lists show it; of a voucher the last four characters alone, once its code is sealed.
   */
  identifier: string | null
  /**
   * The newest IPv4 address; session_addresses has all of them.
   */
  ip: string | null
  /**
   * The IPv6 addresses and prefixes that it has now.
   */
  ipv6: Generated<string[]>
  /**
   * When its gateway last reported it.
   */
  last_seen_at: string
  /**
   * Of the device; a random one once its guest is erased.
   */
  mac_address: string | null
  mac_category_id: number | null
  package_id: number | null
  property_id: number
  /**
   * Where its last report came from, by RADIUS. Empty once it has ended, or where nothing has come since this column is there.
   */
  reported_from: string | null
  search: Generated<string>
  /**
   * Time online, the highest that was reported.
   */
  seconds: Generated<number>
  /**
   * Acct-Session-Id and the gateway's name: what its reports are matched by. `erased` and its id once its guest is erased.
   */
  session_key: string
  started_at: string
  /**
   * Nobody reported its end: it was given up when nothing was heard of it any more.
   */
  stop_inferred: Generated<boolean>
  stopped_at: string | null
  /**
   * Acct-Terminate-Cause of its last report, or why we ended it.
   */
  termination_cause: string | null
  /**
   * Of the package when it was let in, {speed_mbps, volume_gb, session_time_hrs}; null: as the package is now.
   */
  terms: Json | null
  /**
   * The simulated gateway of the trial that it belongs to; it goes with the trial.
   */
  trial_id: Generated<number | null>
  /**
   * The User-Name of its reports.
   */
  username: string | null
  voucher_id: number | null
}

export interface RateLimits {
  /**
   * When counting begins anew.
   */
  expires_at: string
  hits: Generated<number>
  /**
   * The bucket: what is counted, and of whom.
   */
  key: string
}

export interface RecoveryCodes {
  code_hash: string
  login_id: number
}

export interface Releases {
  serves_since: string
  upgraded_at: Generated<string>
  version: string
}

export interface ReportReceivers {
  /**
   * When the question was sent last.
   */
  asked_at: string | null
  confirmed_at: string | null
  created_at: Generated<string>
  customer_id: Generated<number>
  email: string
  /**
   * Named before there was a question.
   */
  goes_until: string | null
  id: Generated<number>
  /**
   * A no, or a stop; it is final.
   */
  stopped_at: string | null
}

export interface ReportRuns {
  api_key_id: number | null
  /**
   * The fields of a report that is no record, or that stand in for those of its record.
   */
  asked: Json | null
  attempts: Generated<number>
  bytes: number | null
  /**
   * The last day that is complete in its file.
   */
  complete_to: string | null
  /**
   * The run whose file was incomplete, and that this one stands in for.
   */
  completes_run_id: number | null
  created_at: Generated<string>
  customer_id: Generated<number>
  /**
   * The day on which its schedule was due; null: a person asked.
   */
  due_on: string | null
  error: string | null
  file_id: number | null
  finished_at: string | null
  format: string
  group_id: number | null
  id: Generated<number>
  /**
   * Its file is there until then.
   */
  kept_until: string | null
  /**
   * When to look whether what was missing has come.
   */
  look_again_at: string | null
  mails: Generated<boolean>
  missing: Generated<string[]>
  name: string
  /**
   * Its file says who guests were: it goes when one of them is erased.
   */
  names_guests: Generated<boolean>
  outcome: Generated<string>
  period_end: string | null
  period_start: string | null
  /**
   * In percent.
   */
  progress: number | null
  property_id: number | null
  report_id: number | null
  row_count: number | null
  /**
   * When whoever makes it was last seen at work.
   */
  touched_at: Generated<string>
  user_id: number | null
}

export interface Reports {
  active: Generated<boolean>
  api_key_id: number | null
  auth_method_ids: Generated<number[]>
  collection_ids: Generated<number[]>
  columns: Generated<string[]>
  connectivity_type_ids: Generated<number[]>
  created_at: Generated<string>
  customer_id: Generated<number>
  date_range: string | null
  deleted_at: string | null
  draft: Generated<boolean>
  end_date: string | null
  /**
   * Runs that failed since one went well.
   */
  failures: Generated<number>
  format: Generated<string>
  frequency: number | null
  group_id: number | null
  group_ids: Generated<number[]>
  id: Generated<number>
  kind: Generated<string>
  mac_category_ids: Generated<number[]>
  name: string
  next_due_on: string | null
  /**
   * When it is due; null: it is not scheduled.
   */
  next_run_at: string | null
  only_if_rows: Generated<boolean>
  /**
   * When the owner's rights were checked; null: something they depend on has changed since.
   */
  owner_checked_at: string | null
  package_ids: Generated<number[]>
  paused_at: string | null
  paused_for: string | null
  property_id: number | null
  property_ids: Generated<number[]>
  property_type_ids: Generated<number[]>
  recipients: Generated<string[]>
  scheduled: Generated<boolean>
  search: Generated<string>
  start_date: string | null
  status: Generated<string>
  user_id: number | null
  view_as: Generated<string>
  wizard_step: Generated<number>
}

export interface ReportStops {
  created_at: Generated<string>
  customer_id: Generated<number>
  email: string
  id: Generated<number>
  report_id: number
}

export interface Roles {
  created_at: Generated<string>
  customer_id: Generated<number>
  deleted_at: string | null
  id: Generated<number>
  name: string
  permissions: Generated<string[]>
  search: Generated<string>
}

export interface RoomGuests {
  arrives_on: string | null
  checked_in_at: string | null
  created_at: Generated<string>
  customer_id: Generated<number>
  deleted_at: string | null
  departs_on: string | null
  email: string | null
  external_reference: string | null
  first_name: string | null
  id: Generated<number>
  in_dispute: Generated<boolean>
  last_name: string | null
  mobile_number: string | null
  name: Generated<string>
  property_id: number
  room_id: number
  room_number: string | null
  search: Generated<string>
  stay_id: number | null
}

export interface Rooms {
  active: Generated<boolean>
  arrives_on: string | null
  barred: Generated<boolean>
  /**
   * The interface whose system has barred it. Empty: nobody has, or it was said before this column was there.
   */
  barred_by: number | null
  created_at: Generated<string>
  customer_id: Generated<number>
  deleted_at: string | null
  departs_on: string | null
  do_not_disturb: Generated<boolean>
  /**
   * The interface whose system has said so. Empty: nobody has, or it was said before this column was there.
   */
  do_not_disturb_by: number | null
  draft: Generated<boolean>
  external_reference: string | null
  id: Generated<number>
  number: string
  /**
   * The number in the form in which it is looked up (find_fold).
   */
  number_key: Generated<string>
  occupancy: Generated<string>
  /**
   * Guests and accounts in the room, counted by a trigger.
   */
  occupants: Generated<number>
  package_id: number | null
  property_id: number
  search: Generated<string>
  status: Generated<string>
}

export interface SearchedTables {
  entity: string
  narrowing: string
  present: string
}

export interface SecondFactors {
  confirmed_at: string | null
  created_at: Generated<string>
  /**
   * The last step of 30 seconds whose code was taken: none is taken twice.
   */
  last_step: Generated<number>
  login_id: number
  sealed_secret: Buffer
}

export interface SessionAddresses {
  address: string
  customer_id: Generated<number>
  id: Generated<number>
  property_id: number
  radius_session_id: number
  since: string
  /**
   * When another took its place; null: until the session's end.
   */
  until: string | null
}

export interface SessionDays {
  auth_method_id: number | null
  /**
   * To guests.
   */
  bytes_down: Generated<number>
  /**
   * From guests.
   */
  bytes_up: Generated<number>
  customer_id: Generated<number>
  /**
   * By the property's clock.
   */
  day: string
  /**
   * Of the property when the session began.
   */
  group_id: number | null
  id: Generated<number>
  mac_category_id: number | null
  package_id: number | null
  property_id: number
  /**
   * Of that day alone; of all sessions together.
   */
  seconds: Generated<number>
  sessions: Generated<number>
}

export interface Sessions {
  created_at: Generated<string>
  customer_id: number
  expires_at: string
  /**
   * What a person is shown to end it by; it says nothing of the token.
   */
  handle: Generated<string>
  ip: string | null
  last_used_at: Generated<string>
  login_id: number
  /**
   * When the password was given again; null: not since the sign-in.
   */
  proven_at: string | null
  /**
   * SHA-256 of the token in the person's cookie.
   */
  token_hash: Buffer
  user_agent: string | null
  user_id: number
}

export interface ShiftNotes {
  created_at: Generated<string>
  customer_id: Generated<number>
  done_at: string | null
  done_by: string | null
  id: Generated<number>
  property_id: number
  text: string
  written_by: string
}

export interface SignInChallenges {
  expires_at: string
  login_id: number
  token_hash: Buffer
  tries: Generated<number>
  user_id: number
}

export interface StayDifferences {
  created_at: Generated<string>
  customer_id: Generated<number>
  field: string
  id: Generated<number>
  /**
   * A person has looked, and ours stays.
   */
  kept: Generated<boolean>
  ours: string | null
  property_id: number
  room_guest_id: number | null
  system: string | null
  told_stay_id: number
}

export interface Stays {
  arrives_on: string | null
  created_at: Generated<string>
  customer_id: Generated<number>
  deleted_at: string | null
  departs_on: string | null
  /**
   * Devices at once that the desk gave; null: as the package says.
   */
  devices: number | null
  group_name: string | null
  id: Generated<number>
  in_dispute: Generated<boolean>
  may_be_charged: Generated<boolean>
  no_show: Generated<boolean>
  note: string | null
  package_id: number | null
  property_id: number
  room_id: number
  room_number: string
  source: Generated<string>
  /**
   * The property system's own key; null: no system has told it.
   */
  stay_key: string | null
  /**
   * When the system last told it.
   */
  told_at: string | null
  /**
   * The time of departure by the property's clock; null: until the day is over.
   */
  until_time: string | null
}

export interface Teams {
  active: Generated<boolean>
  created_at: Generated<string>
  customer_id: Generated<number>
  deleted_at: string | null
  draft: Generated<boolean>
  group_id: number | null
  id: Generated<number>
  name: string
  package_id: number | null
  property_id: number | null
  search: Generated<string>
  status: Generated<string>
  user_type_id: Generated<number>
}

export interface TeamUsers {
  created_at: Generated<string>
  customer_id: Generated<number>
  id: Generated<number>
  team_id: number
  user_id: number
}

export interface ToldMessages {
  /**
   * Null once it has been taken in.
   */
  body: Json | null
  customer_id: Generated<number>
  id: Generated<number>
  message_id: string
  property_interface_id: number
  received_at: Generated<string>
}

export interface ToldStays {
  /**
   * What was written of it; what differs from that was changed by hand.
   */
  applied: Json | null
  customer_id: Generated<number>
  id: Generated<number>
  /**
   * When a departure that was told takes effect.
   */
  leaves_at: string | null
  property_id: number
  property_interface_id: number
  stay_key: string
  /**
   * Null when it has ended.
   */
  told: Json | null
  /**
   * Of the newest word: an older one changes nothing.
   */
  told_at: string
}

export interface Trials {
  begun_at: Generated<string>
  customer_id: Generated<number>
  ends_at: string
  /**
   * Of the trial that runs.
   */
  gateway_id: number | null
  id: Generated<number>
  property_id: number
  /**
   * When the first guest of a trial was online at the property.
   */
  tried_at: string | null
}

export interface Undelivered {
  about_id: number | null
  attempts: number
  channel: Generated<string>
  created_at: Generated<string>
  customer_id: Generated<number>
  deleted_at: string | null
  id: Generated<number>
  kind: string
  mail_id: number | null
  recipient: string
  recipient_name: string | null
  search: Generated<string>
  text_id: number | null
  why: string
  written_at: string
}

export interface UnregisteredGateways {
  address: string | null
  created_at: Generated<string>
  customer_id: Generated<number>
  gateway_id: number | null
  gateway_type_id: number | null
  id: Generated<number>
  last_seen_at: Generated<string>
  mac_address: string | null
  nas_identifier: string | null
  property_id: number
  /**
   * `asks` by RADIUS; else what was wrong with a guest's redirect.
   */
  why: Generated<string>
}

export interface UsagePeriods {
  account_id: number | null
  /**
   * Of the day, up and down together.
   */
  bytes_used: Generated<number>
  customer_id: Generated<number>
  device_id: number | null
  guest_id: number | null
  id: Generated<number>
  /**
   * Of the day, over all devices.
   */
  seconds_used: Generated<number>
  /**
   * When the day began, by the property's clock; `-infinity`: older days, added up.
   */
  starts_at: string
  voucher_id: number | null
}

export interface UsedQuotas {
  customer_id: Generated<number>
  id: Generated<number>
  /**
   * What is counted, and of whom.
   */
  quota: string
  /**
   * When counting begins anew.
   */
  until: string
  used: number
}

export interface Users {
  active: Generated<boolean>
  company_name: string | null
  contact_email: string | null
  created_at: Generated<string>
  customer_id: Generated<number>
  deleted_at: string | null
  draft: Generated<boolean>
  email: string
  group_id: number | null
  id: Generated<number>
  logged_in_at: string | null
  login_id: number | null
  mobile_number: string | null
  name: string
  outage_mails: Generated<boolean>
  outage_texts: Generated<boolean>
  package_id: number | null
  property_id: number | null
  /**
   * No outage is told between quiet_from and quiet_until of the company's day.
   */
  quiet_from: string | null
  quiet_until: string | null
  search: Generated<string>
  status: Generated<string>
  user_type_id: Generated<number>
  username: string | null
}

export interface UserTypes {
  id: number
  name: string
  role: string
}

export interface VoucherBatches {
  active: Generated<boolean>
  batch_number: string
  created_at: Generated<string>
  customer_id: Generated<number>
  deleted_at: string | null
  devices: Generated<number>
  expires_at: string | null
  group_id: number | null
  id: Generated<number>
  name: string | null
  note: string | null
  package_id: number
  property_id: number | null
  quantity: number
  redeemed: Generated<number>
  search: Generated<string>
  speed_mbps: Generated<Numeric>
  status: Generated<string>
  valid_from: string | null
  volume_gb: Generated<Numeric>
}

export interface VoucherBatchPasswords {
  created_at: Generated<string>
  customer_id: Generated<number>
  id: Generated<number>
  sealed_password: Buffer
  voucher_batch_id: number
}

export interface VoucherCodes {
  customer_id: Generated<number>
  /**
   * HMAC of the code, under the key of the installation that is drawn once.
   */
  fingerprint: Buffer
  id: Generated<number>
  last_four: string
  /**
   * The code, sealed.
   */
  sealed_code: Buffer
  voucher_id: number
}

export interface Vouchers {
  bytes_used: Generated<number>
  /**
   * Plain, until it is sealed: null then.
   */
  code: string | null
  created_at: Generated<string>
  customer_id: Generated<number>
  expires_at: string | null
  id: Generated<number>
  redeemed_at: string | null
  seconds_used: Generated<number>
  /**
   * When the desk took it back: it lets nobody in any more.
   */
  taken_back_at: string | null
  voucher_batch_id: number
}

export interface WebhookDeliveries {
  /**
   * The first of what the receiver said.
   */
  answer: string | null
  created_at: Generated<string>
  customer_id: Generated<number>
  event_id: number
  id: Generated<number>
  state: Generated<string>
  status: number | null
  /**
   * Those that counted.
   */
  tries: Generated<number>
  webhook_id: number
}

export interface Webhooks {
  active: Generated<boolean>
  created_at: Generated<string>
  customer_id: Generated<number>
  deleted_at: string | null
  events: string[]
  /**
   * When it was last tried in vain.
   */
  failed_at: string | null
  /**
   * When the failures in a row began; null: it went well last.
   */
  failing_since: string | null
  group_id: number | null
  id: Generated<number>
  paused_at: string | null
  /**
   * `failed` after five days, `gone` when it answered 410; it is not active then.
   */
  paused_for: string | null
  personal_data: Generated<boolean>
  property_id: number | null
  status: Generated<string>
  url: string
}

export interface WebhookSecrets {
  customer_id: Generated<number>
  /**
   * Until when the former secret signs, too.
   */
  former_until: string | null
  id: Generated<number>
  older_until: string | null
  sealed_former: Buffer | null
  /**
   * The one before the former, while it still signs.
   */
  sealed_older: Buffer | null
  sealed_secret: Buffer
  webhook_id: number
}

export interface DB {
  access_passes: AccessPasses
  access_points: AccessPoints
  account_passwords: AccountPasswords
  account_types: AccountTypes
  accounting_contacts: AccountingContacts
  accounting_integrations: AccountingIntegrations
  accounts: Accounts
  activity: Activity
  address_confirmations: AddressConfirmations
  api_key_secrets: ApiKeySecrets
  api_keys: ApiKeys
  attention_marks: AttentionMarks
  auth_methods: AuthMethods
  billing_invoice_lines: BillingInvoiceLines
  billing_invoices: BillingInvoices
  billing_lines: BillingLines
  billing_nights: BillingNights
  billing_runs: BillingRuns
  collection_properties: CollectionProperties
  collection_users: CollectionUsers
  collections: Collections
  connection_secrets: ConnectionSecrets
  connections: Connections
  connectivity_types: ConnectivityTypes
  consent_records: ConsentRecords
  controller_grants: ControllerGrants
  countries: Countries
  customer_hours: CustomerHours
  customers: Customers
  devices: Devices
  due_work: DueWork
  event_sequences: EventSequences
  events: Events
  failed_jobs: FailedJobs
  files: Files
  frequency_types: FrequencyTypes
  gateway_addresses: GatewayAddresses
  gateway_controllers: GatewayControllers
  gateway_secrets: GatewaySecrets
  gateway_setting_secrets: GatewaySettingSecrets
  gateway_types: GatewayTypes
  gateways: Gateways
  groups: Groups
  guest_day_sums: GuestDaySums
  guest_days: GuestDays
  guest_devices: GuestDevices
  guest_first_days: GuestFirstDays
  guests: Guests
  hour_ledgers: HourLedgers
  idempotency_keys: IdempotencyKeys
  import_rows: ImportRows
  imports: Imports
  installation: Installation
  integration_tokens: IntegrationTokens
  invitations: Invitations
  login_addresses: LoginAddresses
  login_devices: LoginDevices
  logins: Logins
  mac_categories: MacCategories
  mac_category_templates: MacCategoryTemplates
  marketing_integrations: MarketingIntegrations
  marketing_members: MarketingMembers
  night_ledgers: NightLedgers
  oauth_states: OauthStates
  occupancy_nights: OccupancyNights
  one_time_codes: OneTimeCodes
  outage_notices: OutageNotices
  outages: Outages
  outbox_mails: OutboxMails
  outbox_texts: OutboxTexts
  packages: Packages
  packed_sessions: PackedSessions
  password_resets: PasswordResets
  portal_files: PortalFiles
  portal_fonts: PortalFonts
  portal_footers: PortalFooters
  portal_layouts: PortalLayouts
  portal_types: PortalTypes
  portal_versions: PortalVersions
  portals: Portals
  properties: Properties
  property_holidays: PropertyHolidays
  property_hours: PropertyHours
  property_interface_secrets: PropertyInterfaceSecrets
  property_interface_setting_secrets: PropertyInterfaceSettingSecrets
  property_interface_types: PropertyInterfaceTypes
  property_interfaces: PropertyInterfaces
  property_link_records: PropertyLinkRecords
  property_links: PropertyLinks
  property_states: PropertyStates
  property_types: PropertyTypes
  pseudonym_key: PseudonymKey
  radius_authorisations: RadiusAuthorisations
  radius_sessions: RadiusSessions
  rate_limits: RateLimits
  recovery_codes: RecoveryCodes
  releases: Releases
  report_receivers: ReportReceivers
  report_runs: ReportRuns
  report_stops: ReportStops
  reports: Reports
  roles: Roles
  room_guests: RoomGuests
  rooms: Rooms
  searched_tables: SearchedTables
  second_factors: SecondFactors
  session_addresses: SessionAddresses
  session_days: SessionDays
  sessions: Sessions
  shift_notes: ShiftNotes
  sign_in_challenges: SignInChallenges
  stay_differences: StayDifferences
  stays: Stays
  team_users: TeamUsers
  teams: Teams
  told_messages: ToldMessages
  told_stays: ToldStays
  trials: Trials
  undelivered: Undelivered
  unregistered_gateways: UnregisteredGateways
  usage_periods: UsagePeriods
  used_quotas: UsedQuotas
  user_types: UserTypes
  users: Users
  voucher_batch_passwords: VoucherBatchPasswords
  voucher_batches: VoucherBatches
  voucher_codes: VoucherCodes
  vouchers: Vouchers
  webhook_deliveries: WebhookDeliveries
  webhook_secrets: WebhookSecrets
  webhooks: Webhooks
}
