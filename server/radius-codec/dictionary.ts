// Dictionary: the numbers of RADIUS: packet codes, attributes and their values. The attributes of a make are in its own folder.
import { keysOf } from '#contract/keys.ts'

export const code = {
  access_request: 1,
  access_accept: 2,
  access_reject: 3,
  accounting_request: 4,
  accounting_response: 5,
  status_server: 12,
  disconnect_request: 40,
  disconnect_ack: 41,
  disconnect_nak: 42,
  coa_request: 43,
  coa_ack: 44,
  coa_nak: 45,
} as const

/** What an attribute holds; `number` are all of 32 bits, also moments and named values. */
type Holds = 'text' | 'bytes' | 'number' | 'address'

const attributes = {
  user_name: [1, 'text'],
  user_password: [2, 'bytes'],
  chap_password: [3, 'bytes'],
  nas_ip_address: [4, 'address'],
  service_type: [6, 'number'],
  framed_ip_address: [8, 'address'],
  filter_id: [11, 'text'],
  reply_message: [18, 'text'],
  class: [25, 'bytes'],
  vendor_specific: [26, 'bytes'],
  session_timeout: [27, 'number'],
  idle_timeout: [28, 'number'],
  called_station_id: [30, 'text'],
  calling_station_id: [31, 'text'],
  nas_identifier: [32, 'text'],
  proxy_state: [33, 'bytes'],
  acct_status_type: [40, 'number'],
  acct_delay_time: [41, 'number'],
  acct_input_octets: [42, 'number'],
  acct_output_octets: [43, 'number'],
  acct_session_id: [44, 'text'],
  acct_session_time: [46, 'number'],
  acct_terminate_cause: [49, 'number'],
  acct_input_gigawords: [52, 'number'],
  acct_output_gigawords: [53, 'number'],
  event_timestamp: [55, 'number'],
  chap_challenge: [60, 'bytes'],
  eap_message: [79, 'bytes'],
  message_authenticator: [80, 'bytes'],
  acct_interim_interval: [85, 'number'],
  framed_ipv6_prefix: [97, 'address'],
  error_cause: [101, 'number'],
  delegated_ipv6_prefix: [123, 'address'],
  framed_ipv6_address: [168, 'address'],
} as const satisfies Record<string, readonly [type: number, holds: Holds]>

type Name = keyof typeof attributes
const names = keysOf(attributes)
export const attribute = Object.fromEntries(names.map((name) => [name, attributes[name][0]])) as {
  readonly [Each in Name]: (typeof attributes)[Each][0]
}
/** The attributes that hold a number. */
export const numeric = names.filter((name) => attributes[name][1] === 'number')

export const status_type = { start: 1, stop: 2, interim: 3, accounting_on: 7, accounting_off: 8 } as const

/** The values of Acct-Terminate-Cause, in the order of their numbers (RFC 2866, RFC 3580). */
export const terminate_causes = [
  'User-Request', 'Lost-Carrier', 'Lost-Service', 'Idle-Timeout', 'Session-Timeout', 'Admin-Reset', 'Admin-Reboot',
  'Port-Error', 'NAS-Error', 'NAS-Request', 'NAS-Reboot', 'Port-Unneeded', 'Port-Preempted', 'Port-Suspended',
  'Service-Unavailable', 'Callback', 'User-Error', 'Host-Request', 'Supplicant-Restart', 'Reauthentication-Failure',
  'Port-Reinitialized', 'Port-Administratively-Disabled',
] // prettier-ignore
export const causeOf = (number: number | undefined): string =>
  (number === undefined ? undefined : terminate_causes[number - 1]) ?? 'Unknown'

/** Why a gateway did not do what we asked (RFC 5176). */
export const error_cause = { session_context_not_found: 503 } as const

export const microsoft = { vendor: 311, chap_response: 1, chap_challenge: 11, chap2_response: 25 } as const
