// New team: a wizard for its name, owner and members; and the page after it.
import { fieldsIn } from '#contract/fields.ts'
import * as teams from '#contract/teams.ts'
import { TeamInput } from '#contract/teams.ts'
import * as users from '#contract/users.ts'
import { FieldSection } from '#web/kit/form/field-section.tsx'
import { Field } from '#web/kit/form/field.tsx'
import { LookupMany } from '#web/kit/form/lookup.tsx'
import { OwnerField } from '#web/kit/form/owner-field.tsx'
import { permissionHint } from '#web/kit/form/permission-select.tsx'
import { Permitted } from '#web/kit/form/permitted.tsx'
import { useRecord, useResource } from '#web/kit/form/use-resource.ts'
import { Wizard } from '#web/kit/form/wizard.tsx'
import { WhatNext } from '#web/kit/made/what-next.tsx'
import { Link } from '#web/kit/navigation/link.tsx'
import { to, withModal } from '#web/paths.ts'
import { useSession } from '#web/session/session.ts'
import { PageHeader } from '#web/ui/page.tsx'

export const statusMeans = {
  active: 'People can be invited to it.',
  disabled: 'Nobody can be invited to it. Its members keep their permissions.',
  draft: 'Still being set up.',
}

export const NewTeam = () => (
  <>
    <PageHeader title="New team" above={<Link href={to.teams()}>Teams</Link>} />
    <Permitted to={teams.create} back={to.teams()} icon="team">
      <TeamWizard />
    </Permitted>
  </>
)

function TeamWizard() {
  const { user } = useSession()
  const form = useResource(teams, TeamInput)
  const owner_type = form.values['owner_type'] ?? user?.owner_type
  const owner_id = form.values['owner_id'] ?? (owner_type === user?.owner_type ? user?.owner_id : undefined)
  const owner = typeof owner_type === 'string' && typeof owner_id === 'number' ? { owner_type, owner_id } : {}
  return (
    <Wizard
      form={form}
      noun="team"
      back={to.teams()}
      done={({ id, draft }) => (draft ? to.team(id) : to.teamCreated(id))}
      draftable="draft"
      steps={[
        {
          title: 'Team',
          fields: fieldsIn(teams.fields, 'team'),
          body: (
            <FieldSection
              form={form}
              fields={teams.fields}
              section="team"
              title="Team"
              hint="Colleagues who work together. Being in one does not change anybody’s permission."
              own={{
                name: <Field form={form} name="name" first />,
                owner_type: (
                  <OwnerField form={form} type="owner_type" id="owner_id" onChange={() => form.set('user_ids', [])} />
                ),
                owner_id: null,
              }}
              hints={{ user_type_id: `What people invited into it get. ${permissionHint}` }}
            />
          ),
        },
        {
          title: 'People',
          fields: fieldsIn(teams.fields, 'people'),
          body: (
            <FieldSection
              form={form}
              fields={teams.fields}
              section="people"
              title="People"
              hint="They keep their permission. New people are invited next."
              own={{ user_ids: <LookupMany form={form} name="user_ids" of={owner} /> }}
            />
          ),
        },
      ]}
    />
  )
}

export function TeamCreated({ id }: { id: number }) {
  const team = useRecord(teams, id)
  return (
    <WhatNext
      title={team?.name}
      list={{ title: 'Teams', href: to.teams(), all: 'All teams' }}
      another={{ href: to.newTeam(), call: teams.create }}
      said="The team is ready."
      next={[
        {
          icon: 'mail',
          title: 'Invite people',
          text: team ? `They join the team, as ${team.user_type.name}.` : 'They join the team.',
          href: withModal(to.teamCreated(id), 'invite-user', { team_id: id }),
          call: users.invite,
        },
        {
          icon: 'team',
          title: 'People',
          text: team?.users_string || 'Nobody yet. Add colleagues who already have a user here.',
          href: to.team(id),
          call: teams.update,
        },
      ]}
      open={{ title: 'Open the team', href: to.team(id) }}
    />
  )
}
