// Collection team: a dialog with an address, `?modal=collection-team&collection_id=7` (or `id`, if the screen below does not use
// it): who looks after a collection, and what they may do. Being in it changes nobody's rights.
import * as collections from '#contract/collections.ts'
import { constants } from '#contract/constants.ts'
import type { RowOf } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import * as users from '#contract/users.ts'
import { call } from '#web/kit/call/call.ts'
import { confirmRemoval } from '#web/kit/dialog/confirm.tsx'
import { PermissionSelect } from '#web/kit/form/permission-select.tsx'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { MemberPicker } from '#web/kit/members/member-picker.tsx'
import { useMayCall } from '#web/session/may.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { showCollection } from './show-collection.ts'
import { WhichCollection } from './which-collection.tsx'

export interface CollectionTeamProps {
  id?: number
  collection_id?: number
  close: () => void
}

export function CollectionTeam({ id, collection_id, close }: CollectionTeamProps) {
  const of = collection_id ?? id
  if (of !== undefined) return <Team id={of} close={close} />
  return (
    <WhichCollection
      of="collection-team"
      title="Team of a collection"
      hint="Next you see who is in its team."
      close={close}
    />
  )
}

type User = RowOf<typeof users.list>

function Team({ id, close }: { id: number; close: () => void }) {
  const collection = useRecord(collections, id)
  const mayChange = useMayCall(collections.addTeamMembers)
  const remove = async (user: User) => {
    const where = collection?.name ?? 'this collection'
    if (!(await confirmRemoval(`Remove ${user.name} from ${where}?`, 'They keep their user and permission.')))
      return false
    showCollection(await call(collections.removeTeamMember, { id, user_id: user.id }))
  }
  return (
    <Dialog
      open
      onClose={close}
      title={collection ? `Team of ${collection.name}` : 'Team'}
      width={constants.widths.collection_max_px}
      wholeOnPhones
    >
      <MemberPicker
        of={users.list}
        below={(user) => `${user.email} · ${user.owner_name}`}
        beside={(user) => <PermissionSelect inRow of={users} user={user} />}
        inside={{ title: 'In the team', params: { collection_id: id }, empty: 'Nobody yet.' }}
        outside={{
          title: 'Add people',
          params: { collection_id: id },
          shouldExclude: true,
          empty: 'Everybody who can be added is already in it.',
        }}
        add={
          mayChange
            ? {
                label: 'Add',
                icon: 'add',
                run: async (user) =>
                  showCollection(await call(collections.addTeamMembers, { id, user_ids: [user.id] })),
                done: messages.collections.memberAdded,
                failed: messages.collections.memberFailed,
              }
            : undefined
        }
        remove={
          mayChange
            ? { label: messages.team.remove, icon: 'close', run: remove, done: messages.collections.memberRemoved }
            : undefined
        }
      />
    </Dialog>
  )
}
