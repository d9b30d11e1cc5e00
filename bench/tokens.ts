// Tokens: bearer tokens that both Foyer and the bare servers accept. There are many, as each may be used only 1,200 times a minute.
import { createHash } from 'node:crypto'
import type { Client } from 'pg'

const tokens_of_each = 200

/** The table in which the bare servers look tokens up. */
export const makeTokenTable = (admin: Client) =>
  admin.query(`
    create table bench_tokens (
      token_hash bytea primary key, customer_id integer not null, expires_at timestamptz not null);
    grant select on bench_tokens to foyer_app`)

/** New tokens of a customer's first user. */
export async function tokensOf(admin: Client, customer_id: number): Promise<string[]> {
  const tokens = Array.from(
    { length: tokens_of_each },
    (_, index) => `bench-token-${customer_id}-${index}-of-the-editor`,
  )
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest())
  await admin.query(
    `insert into sessions (token_hash, login_id, user_id, customer_id, last_used_at, expires_at)
     select unnest($1::bytea[]), u.login_id, u.id, u.customer_id, now(), now() + interval '1 hour'
     from users as u where u.id = (select min(id) from users where customer_id = $2)`,
    [hashes, customer_id],
  )
  await admin.query(`insert into bench_tokens select unnest($1::bytea[]), $2, now() + interval '1 hour'`, [
    hashes,
    customer_id,
  ])
  return tokens
}
