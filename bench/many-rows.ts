// Many rows: fills a table with millions of rows in a few minutes, by building its indexes once afterwards.
import type { Client } from 'pg'

interface Index {
  name: string
  definition: string
}

/**
 * Indexes of constraints stay, as rows are written in their order. Foreign keys are not checked meanwhile, so `work` must write valid
 * rows. `isWanted` leaves out indexes that the bench does not need.
 */
export async function fillWithoutIndexes(
  raw: Client,
  table: string,
  work: () => Promise<void>,
  isWanted: (definition: string) => boolean = () => true,
) {
  const { rows: indexes } = await raw.query<Index>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
     where i.indrelid = $1::regclass and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [table],
  )
  for (const { name } of indexes) await raw.query(`drop index ${name}`)
  await raw.query(`set session_replication_role = replica`)
  await work()
  await raw.query(`reset session_replication_role`)
  // What is committed and not flushed yet would not be marked as visible to all.
  await raw.query('checkpoint')
  await raw.query(`vacuum (freeze, analyze) ${table}`)
  await raw.query(`set maintenance_work_mem = '1GB'`)
  for (const { definition } of indexes.filter((one) => isWanted(one.definition))) await raw.query(definition)
  await raw.query(`reset maintenance_work_mem`)
  await raw.query(`analyze ${table}`)
}

/** Fewer checkpoints and no waiting for commits, as the data are discarded after the run. */
export async function writeInBulk(raw: Client) {
  await raw.query(`alter system set max_wal_size = '16GB'`)
  await raw.query(`alter system set checkpoint_timeout = '1h'`)
  await raw.query(`select pg_reload_conf()`)
  await raw.query(`set synchronous_commit = off`)
}
