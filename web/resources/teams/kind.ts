// Team kind: what can be done with one team, in its row and on its page.
import type { RowOf } from '#contract/endpoint.ts'
import * as teams from '#contract/teams.ts'
import * as users from '#contract/users.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { here, linkItem } from '#web/kit/navigation/go.ts'
import { to, withModal } from '#web/paths.ts'
import { mayCall } from '#web/session/may.ts'

export const teamKind: RecordKind<RowOf<typeof teams.list>> = {
  of: teams,
  noun: 'teams',
  nameOf: (team) => team.name,
  href: (team) => to.team(team.id),
  own: (team) =>
    mayCall(users.invite) && team.status === 'active'
      ? [
          linkItem({
            label: 'Invite people',
            icon: 'mail',
            href: withModal(here(), 'invite-user', { team_id: team.id }),
          }),
        ]
      : [],
  whenDisabled: 'Nobody can be invited to it. Its members keep their permissions.',
  consequence: (rows) =>
    rows.length === 1
      ? 'Its people keep their users and permissions. This cannot be undone.'
      : 'Their people keep their users and permissions. This cannot be undone.',
}
