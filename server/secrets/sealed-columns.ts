// Sealed columns: all places that may have sealed values. A value is bound to its place. When the installation gets another secret
// key, all of these are sealed again (server/db/rotation.ts).

interface SealedColumn {
  /** Identifies a value within its customer, as an SQL expression over the table that is known before the row is written. */
  row: string
  /** The order in which the table is traversed; unique, and of a type that a text parameter is converted to. */
  order: string
  /** False: the value belongs to a login or to the installation, not to a customer. */
  of_customer: boolean
}

const byId = <const R extends string>(row: R) => ({ row, order: 'id', of_customer: true }) satisfies SealedColumn

const connection = `coalesce(accounting_integration_id::text, (-marketing_integration_id)::text, 'interface ' || property_interface_id,
  'connection ' || connection_id)`

export const sealedColumns = {
  'access_passes.sealed_password': byId('username'),
  'account_passwords.sealed_password': byId('account_id'),
  'connection_secrets.sealed_value': byId(`connection_id || ' ' || key`),
  'files.sealed_key': byId(`encode(sha256, 'hex')`),
  'gateway_secrets.sealed_password': byId('gateway_id'),
  'gateway_secrets.sealed_radius_secret': byId('gateway_id'),
  'gateway_setting_secrets.sealed_value': byId(`gateway_id || ' ' || key`),
  'idempotency_keys.sealed_answer': byId('id'),
  'integration_tokens.sealed_access_token': byId(connection),
  'integration_tokens.sealed_refresh_token': byId(connection),
  'oauth_states.sealed_code_verifier': {
    row: `encode(state_hash, 'hex')`,
    order: `encode(state_hash, 'hex')`,
    of_customer: true,
  },
  'outbox_mails.sealed_text': byId('recipient_email'),
  'outbox_texts.sealed_text': byId('mobile_number'),
  'property_interface_secrets.sealed_password': byId('property_interface_id'),
  'property_interface_secrets.sealed_username': byId('property_interface_id'),
  'property_interface_setting_secrets.sealed_value': byId(`property_interface_id || ' ' || key`),
  'second_factors.sealed_secret': { row: 'login_id', order: 'login_id', of_customer: false },
  'installation.sealed_fingerprint_key': { row: 'id', order: 'id', of_customer: false },
  'installation.sealed_sftp_host_key': { row: 'id', order: 'id', of_customer: false },
  'webhook_secrets.sealed_former': byId('webhook_id'),
  'webhook_secrets.sealed_older': byId('webhook_id'),
  'webhook_secrets.sealed_secret': byId('webhook_id'),
  'voucher_batch_passwords.sealed_password': byId('voucher_batch_id'),
  'voucher_codes.sealed_code': { row: `encode(fingerprint, 'hex')`, order: 'fingerprint', of_customer: true },
} as const satisfies Record<string, SealedColumn>
export type SealedColumnName = keyof typeof sealedColumns

/** Where a sealed value is stored. */
export interface SealedPlace {
  /** The database password of a login is in the comment of its role. */
  column: SealedColumnName | 'pg_authid.comment'
  customer_id: number | null
  row: number | string
}

export const placeIn = (
  column: SealedColumnName,
  { customer_id }: { customer_id: number },
  row: number | string,
): SealedPlace => ({
  column,
  customer_id,
  row,
})

export const fingerprintPlace: SealedPlace = {
  column: 'installation.sealed_fingerprint_key',
  customer_id: null,
  row: 1,
}
export const sftpHostKeyPlace: SealedPlace = { column: 'installation.sealed_sftp_host_key', customer_id: null, row: 1 }
export const passwordPlace = (login: string): SealedPlace => ({
  column: 'pg_authid.comment',
  customer_id: null,
  row: login,
})

export const lineOf = ({ column, customer_id, row }: SealedPlace) => `${column} ${customer_id ?? '-'} ${row}`
