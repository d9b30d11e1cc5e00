// Many rows: fills a table with millions in a few minutes: its indexes are made once, when all rows are there.
import type { Client } from 'pg'

interface Index {
  name: string
  definition: string
}

/**
 * Those that belong to a constraint stay: rows come in their order. Foreign keys are not looked up meanwhile, so `work` has
 * to write rows that fit. Indexes that nothing of a bench asks for need not be made again.
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
  await raw.query(`vacuum (freeze, analyze) ${table}`)
  await raw.query(`set maintenance_work_mem = '1GB'`)
  for (const { definition } of indexes.filter((one) => isWanted(one.definition))) await raw.query(definition)
  await raw.query(`reset maintenance_work_mem`)
  await raw.query(`analyze ${table}`)
}

/** Fewer checkpoints: what a run writes is thrown away at its end. */
export async function writeInBulk(raw: Client) {
  await raw.query(`alter system set max_wal_size = '16GB'`)
  await raw.query(`alter system set checkpoint_timeout = '1h'`)
  await raw.query(`select pg_reload_conf()`)
  await raw.query(`set synchronous_commit = off`)
}
