// Login limits: where PgBouncer stands between in transaction mode, a connection cannot ask for limits at its start, since it serves many
// clients in turn. The logins themselves have them then.
import type { Client } from 'pg'
import { connect, type LoginUrls } from '#server/db/logins.ts'
import { CannotStart } from '#server/start/cannot-start.ts'

/** As pools ask for them themselves where nothing stands between (connect.ts has the reasons). */
const limits = {
  statement_timeout: '10s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '15s',
  timezone: 'UTC',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  enable_seqscan: 'off',
}

/** For a superuser or the one who made the logins, in the database: it holds there alone. deploy/pgbouncer/README.md has it, too. */
export const limit_logins = `do $$
declare
  login text;
  kept text;
begin
  foreach login in array array['foyer_app', 'foyer_auth', 'foyer_guest'] loop
    foreach kept in array array[${Object.entries(limits)
      .map(([name, value]) => `'${name} = ${value}'`)
      .join(', ')}] loop
      execute format('alter role %I in database %I set %I = %L', login, current_database(),
        split_part(kept, ' = ', 1), split_part(kept, ' = ', 2));
    end loop;
  end loop;
end $$;`

export const limitLogins = (inDatabase: Client) => inDatabase.query(limit_logins)

/** Refuses logins whose statements would run without limits. */
export async function checkLimits({ appUrl, authUrl, guestUrl }: LoginUrls): Promise<void> {
  for (const url of new Set([appUrl, authUrl, guestUrl])) {
    const client = await connect(url)
    try {
      const { rows } = await client.query<{ name: string; value: string }>(
        'select name, current_setting(name) as value from unnest($1::text[]) as name',
        [Object.keys(limits)],
      )
      const wrong = rows.filter(({ name, value }) => limits[name as keyof typeof limits] !== value)
      if (wrong.length > 0)
        throw new CannotStart(
          `With DATABASE_DIRECT_URL the login ${new URL(url).username} needs limits of its own, since a pooler passes on none ` +
            `(${wrong.map(({ name }) => name).join(', ')}). A superuser gives them to all logins, in the database, with the lines ` +
            `below; then have PgBouncer reopen its connections (RECONNECT in its console).\n${limit_logins}`,
        )
    } finally {
      await client.end()
    }
  }
}
