// First bill: leads customers that have never billed their properties to their first billing run. Hidden once there is one.
import { useQuery } from '@tanstack/react-query'
import * as billing from '#contract/billing-runs.ts'
import { call } from '#web/kit/call/call.ts'
import { keys } from '#web/kit/call/query-client.ts'
import { lastMonth } from '#web/kit/display/months.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { Panel } from '#web/ui/page.tsx'
import styles from './dashboard.module.css'

export function FirstBill() {
  const mayBill = useMayCall(billing.createRun)
  const { data } = useQuery({
    queryKey: keys.list(billing.runList.path, 'any'),
    queryFn: ({ signal }) => call(billing.runList, { per_page: 1 }, { signal }),
    enabled: mayBill,
  })
  if (!mayBill || data?.meta.total !== 0) return null
  return (
    <Panel
      title="Bill your properties"
      actions={<LinkButton href={to.newBillingRun({ ...lastMonth() })}>Draw the first bill</LinkButton>}
    >
      <p className={styles.none}>
        Foyer records what each property lets every night, and works out what it owes. See what last month comes to:
        nothing is saved until you say so, and properties without a rate are listed.
      </p>
    </Panel>
  )
}
