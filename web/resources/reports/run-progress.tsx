// Run progress: the progress of a long report. It continues if the user leaves the page; the file is then in the list of files.
import { useQuery } from '@tanstack/react-query'
import * as runs from '#contract/report-runs.ts'
import { call } from '#web/kit/call/call.ts'
import { keys } from '#web/kit/call/query-client.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/state.tsx'
import { cancelRun, downloadRun } from './sending.ts'
import { isUnderWay, outcomeNames, type Run } from './words.ts'
import styles from './reports.module.css'

const refresh_ms = 1_000

export function RunProgress({ id }: { id: number }) {
  const mayCancel = useMayCall(runs.cancelRun)
  const { data: run, refetch } = useQuery({
    queryKey: keys.one(runs.getRun.path, id),
    queryFn: ({ signal }) => call(runs.getRun, { id }, { signal, background: true }),
    refetchInterval: ({ state }) => (state.data && !isUnderWay(state.data) ? false : refresh_ms),
  })
  if (!run) return null
  return (
    <Notice tone={run.outcome === 'failed' ? 'error' : run.outcome === 'done' ? 'success' : 'info'}>
      <div className={styles.making}>
        <span>{statusText(run)}</span>
        {isUnderWay(run) && (
          <progress aria-label="Progress" max={100} {...(run.progress === null ? {} : { value: run.progress })} />
        )}
        {isUnderWay(run) && mayCancel && (
          <Button onClick={() => void cancelRun(run).then(() => refetch())}>Cancel</Button>
        )}
        {run.outcome === 'done' && (
          <Button icon="download" onClick={() => void downloadRun(run)}>
            Download
          </Button>
        )}
        <Link href={to.reportFiles()}>All files</Link>
      </div>
    </Notice>
  )
}

function statusText({ name, outcome, progress, error }: Run): string {
  if (outcome === 'done') return `“${name}” is ready.`
  if (outcome === 'failed') return `“${name}” could not be made. ${error ?? ''}`
  if (outcome === 'cancelled') return `“${name}” was cancelled.`
  const far = outcome === 'running' && progress !== null ? `, ${Math.round(progress)}%` : ''
  return `“${name}” is long: ${outcomeNames[outcome].toLowerCase()}${far}. You can leave this page; it will be under Files.`
}
