// Compare backups: once a week each backup that still lies where it was written is read and compared with its SHA-256. A disk that forgets
// is found before the backup is needed.
import { backupsThere, noteFound, sha256Of } from '#server/db/backup-notes.ts'
import { job } from '#server/jobs/job.ts'
import { jobKind } from '#server/jobs/queue.ts'
import type { Config } from '#server/start/config.ts'
import type { Log } from '#server/watch/log.ts'

interface Needs {
  log: Pick<Log, 'warn'>
  config: Pick<Config, 'data_dir'>
}

export async function compareBackups({ log, config: { data_dir } }: Needs): Promise<void> {
  for (const { file, sha256, made_at } of backupsThere(data_dir)) {
    const found = await sha256Of(file).catch((err: unknown) => {
      log.warn({ err, file }, 'a backup cannot be read')
      return null
    })
    if (found === null) continue
    const is_same = found === sha256
    noteFound(data_dir, sha256, { compared_at: new Date().toISOString(), is_same })
    if (!is_same) log.warn({ file, made_at }, 'a backup differs from what was written')
  }
}

export const compareBackupsJob = job({
  kind: jobKind('compare_backups'),
  cron: '41 3 * * 0',
  title: 'Comparing backups with what was written',
  run: compareBackups,
})
