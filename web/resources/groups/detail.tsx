// Group detail: one group, its parts in tabs.
import * as groups from '#contract/groups.ts'
import { DetailTabs } from '#web/kit/detail-tabs.tsx'
import { go, here } from '#web/kit/go.ts'
import { useRecord } from '#web/kit/use-resource.ts'
import { to, withModal } from '#web/paths.ts'
import { useEditor } from '#web/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { GroupForm } from './form.tsx'

export function GroupDetail({ id }: { id: number }) {
  const group = useRecord(groups, id)
  const editor = useEditor()
  return (
    <DetailTabs
      of="Group"
      name={group?.name}
      status={group?.status}
      back={{ title: 'Groups', href: to.groups() }}
      actions={
        editor && (
          <Button icon="mail" onClick={() => go(withModal(here(), 'invite-user', { group_id: id }))}>
            Invite user
          </Button>
        )
      }
      tabs={{ details: { title: 'Details', body: () => <GroupForm id={id} /> } }}
    />
  )
}
