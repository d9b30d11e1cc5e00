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
  expires_at: string
  gateway_id: number
  guest_id: number | null
  id: Generated<number>
  mac_address: string | null
  package_id: number | null
  sealed_password: Buffer
  signed_out_at: string | null
  status_key_hash: Buffer | null
  trial_id: Generated<number | null>
  used_at: string | null
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
  short_code: string | null
  status: Generated<string>
  synced_at: string | null
  tax_type: string | null
  tax_types: Generated<Json>
  tenant_id: string | null
}

export interface AccountPasswords {
  account_id: number
  created_at: Generated<string>
  customer_id: Generated<number>
  id: Generated<number>
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
  in_dispute: Generated<boolean>
  logged_in_at: string | null
  mobile_number: string | null
  name: string
  package_id: number | null
  property_id: number
  room_id: number | null
  room_number: string | null
  search: Generated<string>
  /**
   * New, and its guest was not told the sign-in yet. Those from before count as told, and imported ones, where a person is asked.
   */
  sign_in_due: Generated<boolean>
  status: Generated<string>
  username: string | null
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
  after: Json | null
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
  principal_id: number | null
  principal_kind: Generated<string>
  /**
   * Whose line it is: a property's users see their own.
   */
  property_id: number | null
  search: Generated<string>
  session: string | null
  user_id: number | null
}

export interface AddressConfirmations {
  expires_at: string
  login_id: number
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
  permissions: Generated<string[]>
  property_id: number | null
  property_ids: Generated<number[]>
  search: Generated<string>
  token_start: string
  user_id: number | null
}

export interface ApiKeySecrets {
  api_key_id: number
  customer_id: Generated<number>
  id: Generated<number>
  token_hash: Buffer
}

export interface AttentionMarks {
  about_id: number
  customer_id: Generated<number>
  id: Generated<number>
  kind: string
  marked_at: Generated<string>
  marked_by: string
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
  asked_right: string | null
  attempts: Generated<number>
  billing_run_id: number
  claim: string | null
  claimed_until: string | null
  created_at: Generated<string>
  currency: string
  customer_id: Generated<number>
  dated_on: Generated<string>
  external_id: string | null
  gone_as: string | null
  id: Generated<number>
  idempotency_key: Generated<string>
  is_unsure: Generated<boolean>
  kind: Generated<string>
  last_error: string | null
  last_fix: string | null
  next_try_at: string | null
  number: string | null
  property_id: number | null
  property_name: string | null
  replaced_at: string | null
  sent_at: string | null
  state: Generated<string>
  tax_answered: Numeric | null
  tax_type: string | null
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
  unit_days: number
  why_changed: string | null
}

export interface BillingNights {
  approved: Generated<boolean>
  billable_units: number
  billing_line_id: number
  billing_run_id: number
  created_at: Generated<string>
  currency: string
  customer_id: Generated<number>
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
  reason: string
  room_numbers: Generated<string[]>
  total_units: number
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
  terms_version: number | null
  trial_id: Generated<number | null>
  user_agent: string | null
  withdrawn_at: string | null
  withdrawn_via: string | null
  wording: string
}

export interface ControllerGrants {
  access_pass_id: number
  authorisation_id: number
  bytes_down_before: Generated<number>
  bytes_up_before: Generated<number>
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
  state: Generated<string>
}

export interface Countries {
  code: string
  currency: string
  dialling_code: string
  id: number
  name: string
  several_clocks: boolean
  time_zone: string
  time_zones: string[]
}

export interface CustomerHours {
  customer_id: Generated<number>
  hour: string
  id: Generated<number>
  online: number
}

export interface Customers {
  active: Generated<boolean>
  /**
   * Lines of the activity log from before are deleted. Null: none are.
   */
  activity_kept_since: string | null
  confirmed_at: string | null
  contact_email: string | null
  country_id: number | null
  created_at: Generated<string>
  currency: Generated<string>
  deleted_at: string | null
  desk_contact: string | null
  id: Generated<number>
  name: string
  sample_day: string | null
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
  lease: string | null
  next_at: Generated<string>
  /**
   * `failed`: given up. `unknown`: nobody can tell whether it was done.
   */
  state: Generated<string>
  tries: Generated<number>
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
  guest_id: number | null
  id: Generated<number>
  object: string
  object_id: number
  property_id: number | null
  sequence: number
  type: string
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
  polled_from: string | null
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
  asked_until: string | null
  boxes: Generated<Json>
  counts_from_gateway_side: Generated<boolean>
  created_at: Generated<string>
  customer_id: Generated<number>
  deleted_at: string | null
  disconnect_port: Generated<number>
  dns_name: string | null
  gateway_dns_setting: string | null
  gateway_type_id: number
  guests_seen_at: string | null
  guests_sent_at: string | null
  id: Generated<number>
  ip_address: string | null
  last_address: string | null
  last_seen_at: string | null
  login_method: Generated<string>
  mac_address: string | null
  name: string | null
  /**
   * How it names itself to RADIUS; unique in its customer.
   */
  nas_identifier: Generated<string>
  portal_label: Generated<string | null>
  property_id: number
  redirected_at: string | null
  refused_at: string | null
  refused_for: string | null
  search: Generated<string>
  settings: Generated<Json>
  silent_since: string | null
  status: Generated<string>
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
  day: string
  /**
   * The first day on which this guest was ever there.
   */
  first_seen: boolean
  guest: Buffer
  id: Generated<number>
  property_id: number
}

export interface GuestDaySums {
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
  package_id: number | null
  signed_out_at: string | null
  trial_id: Generated<number | null>
  voucher_id: number | null
  waits_until: string | null
}

export interface GuestFirstDays {
  customer_id: Generated<number>
  first_day: string
  guest: Buffer
  id: Generated<number>
  last_day: string
  property_id: number
}

export interface Guests {
  auth_method_id: number | null
  confirmed_at: string | null
  created_at: Generated<string>
  customer_id: Generated<number>
  deleted_at: string | null
  email: string | null
  first_seen_at: Generated<string>
  grace_ends_at: string | null
  id: Generated<number>
  language: string | null
  last_seen_at: Generated<string>
  mobile_number: string | null
  name: string | null
  property_id: number | null
  room_guest_id: number | null
  search: Generated<string>
  trial_id: Generated<number | null>
  visits: Generated<number>
  waiting_mac_address: string | null
}

export interface HourLedgers {
  counted_until: string
  customer_id: Generated<number>
  id: Generated<number>
}

export interface IdempotencyKeys {
  body_hash: Buffer
  created_at: Generated<string>
  customer_id: Generated<number>
  endpoint: string
  id: Generated<number>
  key: string
  principal_id: number
  principal_kind: string
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
  moved_out: Generated<number>
  outcome: Generated<string>
  overwritten: Generated<number>
  problems: Json | null
  property_id: number | null
  property_ids: Generated<number[]>
  search: Generated<string>
  total: Generated<number>
  undo_until: string | null
  undone_at: string | null
  undone_by: string | null
  user_id: number | null
}

export interface Installation {
  id: number
  key_ids: ArrayType<Buffer>
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
  token_hash: Buffer
  user_id: number
}

export interface LoginAddresses {
  last_used_at: Generated<string>
  login_id: number
  network: string
}

export interface LoginDevices {
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
  last_user_id: number | null
  name: string
  password_changed_at: string | null
  password_hash: string
  taken_off: string | null
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
  due_at: string | null
  guest_id: number | null
  id: Generated<number>
  marketing_integration_id: number
  provider_state: string | null
  reason: string | null
  returns: Generated<boolean>
  sent_as: string | null
  sent_at: string | null
  state: Generated<string>
  subscriber_key: string
}

export interface NightLedgers {
  begins_on: string
  created_at: Generated<string>
  customer_id: Generated<number>
  id: Generated<number>
  kept_from: string
  kept_until: string
  property_id: number
}

export interface OauthStates {
  created_at: Generated<string>
  customer_id: number
  expires_at: string
  integration_id: number | null
  integration_type: string
  kind: string
  sealed_code_verifier: Buffer | null
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
  rate_per_unit: Generated<Numeric>
  room_numbers: Generated<string[]>
  superseded: Generated<boolean>
  time_zone: Generated<string>
  total_units: number | null
  unknown_because: string | null
  version: Generated<number>
}

export interface OneTimeCodes {
  address: string
  attempts: Generated<number>
  channel: string
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
  token_hash: Buffer | null
  trial_id: Generated<number | null>
  used_at: string | null
}

export interface OutageNotices {
  customer_id: Generated<number>
  id: Generated<number>
  outage_id: number
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
  about_id: number | null
  asked_by_key_id: number | null
  asked_by_user_id: number | null
  asked_right: string | null
  attempts: Generated<number>
  counted: Generated<boolean>
  created_at: Generated<string>
  customer_id: Generated<number>
  failed_at: string | null
  file_id: number | null
  good_until: string | null
  held_at: string | null
  html: string | null
  id: Generated<number>
  kind: Generated<string>
  last_error: string | null
  message_key: string | null
  property_id: number | null
  recipient_email: string
  recipient_name: string | null
  /**
   * The text, until it is sent or given up, bound to the address; `text` then stands for it.
   */
  sealed_text: Buffer | null
  sent_at: string | null
  stop_url: string | null
  subject: string
  text: string
  trial_id: Generated<number | null>
}

export interface OutboxTexts {
  about_id: number | null
  asked_by_key_id: number | null
  asked_by_user_id: number | null
  asked_right: string | null
  attempts: Generated<number>
  counted: Generated<boolean>
  created_at: Generated<string>
  customer_id: Generated<number>
  failed_at: string | null
  good_until: string | null
  id: Generated<number>
  kind: Generated<string>
  last_error: string | null
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
  idle_timeout_hrs: Generated<Numeric>
  max_users: Generated<number>
  name: string
  recurs: Generated<string>
  refused_in_dispute: Generated<boolean>
  search: Generated<string>
  session_time_hrs: Generated<Numeric>
  speed_mbps: Generated<Numeric>
  status: Generated<string>
  volume_gb: Generated<Numeric>
  volume_type: Generated<string>
}

export interface PackedSessions {
  accepted_after: ArrayType<number>
  account_ids: number[]
  acct_session_ids: string[]
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
  terms_version: Generated<number>
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
  dependents_removed_at: string | null
  draft: Generated<boolean>
  email: string | null
  external_reference: string | null
  group_id: number | null
  holiday_billable_percentage: Generated<Numeric>
  id: Generated<number>
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
  rate_per_unit: Generated<Numeric>
  search: Generated<string>
  send_email: Generated<boolean>
  send_sms: Generated<boolean>
  status: Generated<string>
  sync_rooms_and_devices: Generated<boolean>
  time_zone: Generated<string>
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
  hour: string
  id: Generated<number>
  online: Generated<number>
  online_by_methods: Json | null
  property_id: number
  refused: Generated<number>
  sessions: Generated<number>
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
  asked_as: string | null
  asked_until: string | null
  customer_id: Generated<number>
  /**
   * What a person should look into although the link is up, until a whole list is taken in without it.
   */
  doubt: string | null
  heard_at: string | null
  held_until: string | null
  /**
   * The node that keeps it.
   */
  holder: string | null
  id: Generated<number>
  key_doubted: Generated<boolean>
  key_taken: string | null
  key_tried: string | null
  last_error: string | null
  listed_at: string | null
  /**
   * A whole list that would empty many rooms, as it was told.
   */
  pending: Json | null
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
  class_of: number | null
  created_at: Generated<string>
  customer_id: Generated<number>
  device_id: number | null
  ends_at: string | null
  fitted: Generated<boolean>
  gateway_id: number | null
  guessed_at: string | null
  guest_id: number | null
  id: Generated<number>
  identifier: string | null
  mac_address: string | null
  package_id: number | null
  property_id: number | null
  reason: string
  search: Generated<string>
  trial_id: Generated<number | null>
  voucher_id: number | null
}

export interface RadiusSessions {
  accepted_at: string | null
  account_id: number | null
  acct_session_id: string
  auth_method_id: number | null
  authorisation_id: number | null
  box_session: string | null
  bytes_down: Generated<number>
  bytes_up: Generated<number>
  calling_station: string | null
  created_at: Generated<string>
  customer_id: Generated<number>
  days: Generated<Json>
  device_id: number | null
  disconnect_agreed_at: string | null
  disconnect_asked_at: string | null
  disconnect_for: string | null
  disconnect_unknown_at: string | null
  ends_at: string | null
  gateway_id: number
  generation: Generated<number>
  group_id: number | null
  guest_id: number | null
  id: Generated<number>
  identifier: string | null
  ip: string | null
  ipv6: Generated<string[]>
  last_seen_at: string
  mac_address: string | null
  mac_category_id: number | null
  package_id: number | null
  property_id: number
  /**
   * Where its last report came from, by RADIUS. Empty once it has ended, or where nothing has come since this column is there.
   */
  reported_from: string | null
  search: Generated<string>
  seconds: Generated<number>
  session_key: string
  started_at: string
  stop_inferred: Generated<boolean>
  stopped_at: string | null
  termination_cause: string | null
  terms: Json | null
  trial_id: Generated<number | null>
  username: string | null
  voucher_id: number | null
}

export interface RateLimits {
  expires_at: string
  hits: Generated<number>
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
  asked: Json | null
  attempts: Generated<number>
  bytes: number | null
  complete_to: string | null
  completes_run_id: number | null
  created_at: Generated<string>
  customer_id: Generated<number>
  due_on: string | null
  error: string | null
  file_id: number | null
  finished_at: string | null
  format: string
  group_id: number | null
  id: Generated<number>
  kept_until: string | null
  look_again_at: string | null
  mails: Generated<boolean>
  missing: Generated<string[]>
  name: string
  names_guests: Generated<boolean>
  outcome: Generated<string>
  period_end: string | null
  period_start: string | null
  progress: number | null
  property_id: number | null
  report_id: number | null
  row_count: number | null
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
  next_run_at: string | null
  only_if_rows: Generated<boolean>
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
  number_key: Generated<string>
  occupancy: Generated<string>
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
  bytes_down: Generated<number>
  bytes_up: Generated<number>
  customer_id: Generated<number>
  day: string
  group_id: number | null
  id: Generated<number>
  mac_category_id: number | null
  package_id: number | null
  property_id: number
  seconds: Generated<number>
  sessions: Generated<number>
}

export interface Sessions {
  created_at: Generated<string>
  customer_id: number
  expires_at: string
  handle: Generated<string>
  ip: string | null
  last_used_at: Generated<string>
  login_id: number
  proven_at: string | null
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
  stay_key: string | null
  told_at: string | null
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
  why: Generated<string>
}

export interface UsagePeriods {
  account_id: number | null
  bytes_used: Generated<number>
  customer_id: Generated<number>
  device_id: number | null
  guest_id: number | null
  id: Generated<number>
  seconds_used: Generated<number>
  starts_at: string
  voucher_id: number | null
}

export interface UsedQuotas {
  customer_id: Generated<number>
  id: Generated<number>
  quota: string
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
  sealed_code: Buffer
  voucher_id: number
}

export interface Vouchers {
  bytes_used: Generated<number>
  code: string | null
  created_at: Generated<string>
  customer_id: Generated<number>
  expires_at: string | null
  id: Generated<number>
  redeemed_at: string | null
  seconds_used: Generated<number>
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
