// Assign portal dialog: asks for a portal and assigns it to all selected properties.
import { z } from 'zod'
import * as properties from '#contract/properties.ts'
import * as portals from '#contract/portals.ts'
import { ref } from '#contract/shapes.ts'
import { messages } from '#contract/messages.ts'
import { call } from '#web/kit/call/call.ts'
import type { AnyRow } from '#web/kit/list/list-types.ts'
import { Lookup } from '#web/kit/form/lookup.tsx'
import { loadNames } from '#web/kit/call/names.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { patchRows, invalidateOthers } from '#web/kit/call/query-client.ts'
import { General } from '#web/kit/form/resource-form.tsx'
import { useForm } from '#web/kit/form/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import styles from './properties.module.css'

const Choice = z.object({ portal_id: ref('portals') })

export interface AssignPortalProps {
  rows: AnyRow[]
  close: (done: boolean) => void
}

export function AssignPortal({ rows, close }: AssignPortalProps) {
  const which = rows.length === 1 ? `“${rows[0]?.name}”` : `${rows.length} properties`
  const ids = rows.map((row) => row.id)
  const assign = async ({ portal_id }: z.input<typeof Choice>) => {
    await call(properties.assignPortal, { ids, portal_id })
    const portal = (await loadNames(portals.names)).find(({ id }) => id === portal_id)
    patchRows(properties.list.path, ids, { portal: { id: portal_id, name: portal?.name ?? '' } })
    invalidateOthers()
    notify.success(`Portal assigned to ${which}`)
    close(true)
  }
  const form = useForm(Choice, {}, assign, { about: ids.join(' ') })
  return (
    <Dialog open onClose={() => close(false)} title={`Assign a portal to ${which}`}>
      <form {...form.bind} className={styles.assign}>
        <General sentences={form.general} />
        <Lookup
          form={form}
          name="portal_id"
          label="Portal"
          to="portals"
          hint="Guests see it the next time they connect. It replaces the current one."
        />
        <div className={styles.buttons}>
          <Button onClick={() => close(false)}>{messages.modal.cancel}</Button>
          <Button kind="primary" submit busy={form.saving} disabled={!form.valid}>
            Assign
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
