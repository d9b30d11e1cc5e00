// Stalled function: a database that is too busy for one of its functions for as long as a test needs.
import type { Client } from 'pg'

/** @param signature such as `door_login(text)`; the function fails like a statement that has timed out. */
export async function whileStalled(admin: Client, signature: string, work: () => Promise<unknown>): Promise<void> {
  const { rows } = await admin.query<{ definition: string }>(
    'select pg_get_functiondef($1::regprocedure) as definition',
    [signature],
  )
  const definition = rows[0]?.definition ?? ''
  const head = definition.slice(0, definition.search(/^\s*LANGUAGE/m))
  await admin.query(`${head} language plpgsql volatile security definer as $$
    begin raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end $$`)
  try {
    await work()
  } finally {
    await admin.query(definition)
  }
}
