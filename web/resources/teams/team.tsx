// Team page: one team in the profile: its members and their permissions, adding and inviting people, and its details.
import type { Output, RowOf } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import * as teams from '#contract/teams.ts'
import * as users from '#contract/users.ts'
import { call } from '#web/kit/call/call.ts'
import { showChange } from '#web/kit/call/query-client.ts'
import { RecordActions } from '#web/kit/detail/record-actions.tsx'
import { WhenLoaded } from '#web/kit/detail/when-loaded.tsx'
import { confirmRemoval } from '#web/kit/dialog/confirm.tsx'
import { StatusBadge } from '#web/kit/display/status-badge.tsx'
import { FieldSection } from '#web/kit/form/field-section.tsx'
import { permissionHint, PermissionSelect } from '#web/kit/form/permission-select.tsx'
import { ResourceForm } from '#web/kit/form/resource-form.tsx'
import { StatusField } from '#web/kit/form/status-field.tsx'
import { useRecord, useResource } from '#web/kit/form/use-resource.ts'
import { MemberPicker } from '#web/kit/members/member-picker.tsx'
import { here } from '#web/kit/navigation/go.ts'
import { Link, LinkButton } from '#web/kit/navigation/link.tsx'
import { to, withModal } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { Section } from '#web/ui/page.tsx'
import { statusMeans } from './create.tsx'
import { teamKind } from './kind.ts'
import styles from './teams.module.css'

type Team = Output<typeof teams.get>
type User = RowOf<typeof users.list>

export function TeamPage({ id }: { id: number }) {
  const team = useRecord(teams, id)
  const mayInvite = useMayCall(users.invite)
  return (
    <div className={styles.team}>
      <header className={styles.header}>
        <div>
          <Link href={to.teams()}>Teams</Link>
          <h2>
            {team?.name}
            {team && <StatusBadge of={team.status} />}
          </h2>
        </div>
        <div className={styles.actions}>
          {mayInvite && team?.status === 'active' && (
            <LinkButton kind="primary" icon="mail" href={withModal(here(), 'invite-user', { team_id: id })}>
              Invite people
            </LinkButton>
          )}
          <RecordActions kind={teamKind} record={team} back={to.teams()} />
        </div>
      </header>
      <WhenLoaded of={teams} id={id}>
        {(record) => (
          <>
            <Members team={record} />
            <TeamForm id={id} />
          </>
        )}
      </WhenLoaded>
    </div>
  )
}

function Members({ team }: { team: Team }) {
  const mayChange = useMayCall(teams.update)
  const { id, name, user_ids, owner_name } = team
  // `was` makes the server refuse the change if somebody else has changed the team in the meantime.
  const change = async (ids: number[]) =>
    showChange(
      { one: teams.get.path, list: teams.list.path },
      id,
      await call(teams.update, { id, user_ids: ids, was: { user_ids } }),
    )
  const remove = async (user: User) => {
    if (!(await confirmRemoval(`Remove ${user.name} from ${name}?`, 'They keep their user and permission.')))
      return false
    await change(user_ids.filter((other) => other !== user.id))
  }
  return (
    <MemberPicker
      of={users.list}
      below={(user) => user.email}
      beside={(user) => <PermissionSelect inRow of={users} user={user} />}
      inside={{ title: 'In the team', params: { team_id: id }, empty: 'Nobody yet.' }}
      outside={{
        title: `Add people from ${owner_name}`,
        params: { team_id: id },
        shouldExclude: true,
        empty: 'Everybody is already in it.',
      }}
      add={
        mayChange
          ? {
              label: 'Add',
              icon: 'add',
              run: (user) => change([...user_ids, user.id]),
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
  )
}

/** A team cannot change its owner, and its members are changed above. */
const TeamFields = teams.TeamInput.omit({ owner_type: true, owner_id: true, user_ids: true })

function TeamForm({ id }: { id: number }) {
  const form = useResource(teams, TeamFields, id)
  return (
    <ResourceForm form={form} noun="team" back={to.teams()}>
      <FieldSection
        form={form}
        fields={teams.fields}
        section="team"
        title="Team"
        hint="People invited into it get this permission. Those already in it keep theirs."
        own={{ owner_type: null, owner_id: null }}
        hints={{ user_type_id: permissionHint }}
      />
      <Section title="Status">
        <StatusField form={form} means={statusMeans} />
      </Section>
    </ResourceForm>
  )
}
