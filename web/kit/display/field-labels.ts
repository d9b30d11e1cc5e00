// Field labels: the API's names of fields as people read them, where no form stands that would say it better.
const special: Record<string, string> = {
  volume_gb: 'Data (GB)',
  speed_mbps: 'Speed (Mbit/s)',
  max_users: 'Devices',
  session_time_hrs: 'Time (hours)',
  idle_timeout_hrs: 'Idle time (hours)',
  recurs: 'Renews',
  user_type_id: 'Permission',
  email: 'E-mail',
  contact_email: 'Contact e-mail',
  send_email: 'Send e-mail',
  send_sms: 'Send SMS',
  mri_enabled: 'MRI',
  mri_communication: 'MRI messages',
  property_interface_type_id: 'Type',
  check_account_in_dispute: 'Accounts in dispute',
  ip_address: 'IP address',
  dns_name: 'DNS name',
  gateway_dns_setting: 'DNS setting',
  nas_identifier: 'NAS identifier',
  radius_secret: 'RADIUS secret',
  last_seen_at: 'Last heard',
  mac_address: 'MAC address',
  mac_category_id: 'Category',
  mac_category: 'Category',
  external_reference: 'Reference',
  max_accounts: 'Accounts at most',
}

/** `property_type_id` → `Property type` */
export function labelOf(field: string): string {
  const known = special[field]
  if (known) return known
  const text = field.replace(/_ids?$/, '').replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
