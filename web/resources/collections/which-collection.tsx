// Which collection: asked first if a dialog is opened without a collection.
import type { Name } from '#web/kit/call/names.ts'
import { NameSelect } from '#web/kit/form/name-select.tsx'
import { go, here } from '#web/kit/navigation/go.ts'
import { withModal } from '#web/paths.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import styles from './collections.module.css'

export interface WhichCollectionProps {
  of: 'collection-properties' | 'collection-team'
  title: string
  hint: string
  /** Kept in the address. */
  group_id?: number | undefined
  close: () => void
}

/** A group's properties can be in collections of that group or of the customer. */
const mayHold = (collection: Name, group_id: number | undefined) =>
  group_id === undefined ||
  !('group_id' in collection) ||
  [null, group_id].includes(collection.group_id as number | null)

export function WhichCollection({ of, title, hint, group_id, close }: WhichCollectionProps) {
  const choose = (collection_id: number | undefined) =>
    collection_id !== undefined &&
    go(withModal(here(), of, { collection_id, ...(group_id ? { group_id } : {}) }), { replace: true })
  return (
    <Dialog open onClose={close} title={title}>
      <div className={styles.which}>
        <NameSelect
          label="Collection"
          name="collection_id"
          to="collections"
          value={undefined}
          onChange={choose}
          hint={hint}
          only={(collection) => mayHold(collection, group_id)}
        />
      </div>
    </Dialog>
  )
}
