// Teams: the profile's section `team`: all teams, or, with an `id` in the address, one of them with its members.
import * as teams from '#contract/teams.ts'
import { StatusBadge, statusOptions } from '#web/kit/display/status-badge.tsx'
import { fieldColumns } from '#web/kit/list/field-columns.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column } from '#web/kit/list/list-types.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { useScreenSearch } from '#web/kit/navigation/screen-search.ts'
import { idIn } from '#web/kit/navigation/search-params.ts'
import { hasScreen, to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { useMayCall } from '#web/session/may.ts'
import { teamKind } from './kind.ts'
import { TeamPage } from './team.tsx'

const column = fieldColumns(teams)

const columns: Column<typeof teams.list>[] = [
  column('name', { width: 140, priority: 1, sort: 'name' }),
  column('status', { cell: (team) => <StatusBadge of={team.status} />, width: 104, priority: 2 }),
  column('users_string', { below: (team) => team.users_string || 'Nobody yet', width: 180, grow: 2, priority: 3 }),
  column('user_type', { width: 150, priority: 4 }),
  column('owner_name', { width: 150, grow: 1, priority: 5 }),
  column('created_at', { width: 118, priority: 6, sort: 'created_at' }),
]

export function TeamsList() {
  const id = idIn(useScreenSearch()['id'])
  return id === undefined ? <AllTeams /> : <TeamPage key={id} id={id} />
}

function AllTeams() {
  const mayCreate = useMayCall(teams.create) && hasScreen(appContext(), 'teams/create')
  const create = mayCreate && (
    <LinkButton kind="primary" icon="add" href={to.newTeam()}>
      New team
    </LinkButton>
  )
  return (
    <ListScreen
      of={teams.list}
      title="Teams"
      kind={teamKind}
      columns={columns}
      filters={{
        status: { kind: 'checkbox', options: statusOptions },
        user_type_id: { kind: 'checkbox' },
      }}
      actions={create}
      empty={{
        icon: 'team',
        title: 'No teams yet',
        children:
          'A team holds colleagues who work together, and says what permission people get who are invited to it.',
        action: create,
      }}
    />
  )
}
