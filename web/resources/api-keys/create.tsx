// New API key: what it may do and how far it reaches; then the key itself, once.
import { useState } from 'react'
import { z } from 'zod'
import { ApiKeyInput, fields, keyAreas, levels, type Level } from '#contract/api-keys.ts'
import type { Area } from '#contract/permissions.ts'
import { ref, text } from '#contract/shapes.ts'
import { FieldSection } from '#web/kit/form/field-section.tsx'
import { Field } from '#web/kit/form/field.tsx'
import { LookupMany } from '#web/kit/form/lookup.tsx'
import { MomentField } from '#web/kit/form/moment-field.tsx'
import { Permitted } from '#web/kit/form/permitted.tsx'
import { ResourceForm } from '#web/kit/form/resource-form.tsx'
import { useField } from '#web/kit/form/use-field.ts'
import type { Form } from '#web/kit/form/use-form.ts'
import { useResource } from '#web/kit/form/use-resource.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { may } from '#web/session/may.ts'
import { useSession } from '#web/session/session.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Choices } from '#web/ui/choices.tsx'
import { PageHeader } from '#web/ui/page.tsx'
import { Segments } from '#web/ui/segments.tsx'
import { Made, type MadeKey } from './made.tsx'
import { callsOf, kindOfOwner, listOf, type KeyOwner } from './owner.ts'
import { areaName, levelNames } from './words.ts'
import styles from './api-keys.module.css'

/** The form has one field for the name; the calls of groups and properties add `api_key_name`. */
const { api_key_name: _same, ...given } = ApiKeyInput.shape
const KeyFields = z.object({
  ...given,
  name: text(),
  group_id: ref('groups').optional(),
  property_id: ref('properties').optional(),
})
type KeyForm = Form<typeof KeyFields>

export function NewApiKey(owner: KeyOwner) {
  const [made, setMade] = useState<MadeKey>()
  const back = listOf(owner)
  return (
    <>
      <PageHeader title={made ? 'API key' : 'New API key'} above={<Link href={back}>API keys</Link>} />
      <Permitted to={callsOf(owner).create} back={back} icon="apiKeys">
        {made ? (
          <Made apiKey={made} back={back} onAnother={() => setMade(undefined)} />
        ) : (
          <KeyForm owner={owner} back={back} onMade={setMade} />
        )}
      </Permitted>
    </>
  )
}

function KeyForm({ owner, back, onMade }: { owner: KeyOwner; back: string; onMade: (made: MadeKey) => void }) {
  const { list, create } = callsOf(owner)
  const { user } = useSession()
  const form = useResource({ list, get: create, create, update: create, fields }, KeyFields, undefined, {
    ...owner,
    email: user?.email,
    permissions: ['read'],
  })
  const kind = kindOfOwner(owner)
  return (
    <ResourceForm form={form} noun="API key" back={back} onDone={onMade}>
      <FieldSection
        form={form}
        fields={fields}
        section="key"
        title="Key"
        hint="So you know later what it is for."
        own={{
          name: <Field form={form} name="name" placeholder="Booking system" first />,
          email: <Field form={form} name="email" type="email" hint="Who to ask about it." />,
        }}
      />
      <FieldSection
        form={form}
        fields={fields}
        section="rights"
        title="What it may do"
        hint="Keys never have access to users, teams, other keys, integrations or the activity log."
        own={{ permissions: <Permissions form={form} /> }}
      />
      <FieldSection
        form={form}
        fields={fields}
        section="reach"
        title="How far"
        hint={reachHints[kind]}
        own={{
          property_ids: kind !== 'property' && (
            <LookupMany
              form={form}
              name="property_ids"
              {...(owner.group_id ? { of: { group_id: owner.group_id } } : {})}
              hint="There it can do what their own editors can, but cannot change anything shared with others."
            />
          ),
          expires_at: <MomentField form={form} name="expires_at" hint="Leave it empty for a key that never expires." />,
        }}
      />
    </ResourceForm>
  )
}

const reachHints = {
  user: 'Everything you can reach, and never more. It stops working when you are disabled.',
  group: 'All of the group’s properties, unless you choose some.',
  property: 'This property alone.',
}

const hints: Record<Level, string> = {
  read: 'Lists and records.',
  write: 'Also creates, changes and hands out vouchers.',
  full: 'Also deletes.',
}

/** One level, in all areas or in some. Mixed levels are only possible over the API. */
function Permissions({ form }: { form: KeyForm }) {
  const { control } = useField(form, 'permissions')
  const [level, setLevel] = useState<Level>('read')
  /** Null: all areas. */
  const [chosen, setChosen] = useState<readonly Area[] | null>(null)
  const change = (next: { level?: Level; chosen?: readonly Area[] | null }) => {
    const now = { level, chosen, ...next }
    setLevel(now.level)
    setChosen(now.chosen)
    form.set('permissions', now.chosen?.map((area) => `${now.level}:${area}`) ?? [now.level])
  }
  const offered = keyAreas.filter((area) => may(area, 'read') || may(area))
  return (
    <>
      <Choices
        label="It may"
        name="level"
        options={levels.map((value) => ({ value, label: levelNames[value], hint: hints[value] }))}
        value={level}
        onChange={(value) => change({ level: levels.find((one) => one === value) ?? 'read' })}
      />
      <Segments
        label="Where"
        options={[
          { value: 'all', label: 'Everywhere' },
          { value: 'some', label: 'In some areas' },
        ]}
        value={chosen === null ? 'all' : 'some'}
        onChange={(value) => change({ chosen: value === 'all' ? null : [] })}
      />
      {chosen !== null && (
        <fieldset className={styles.areas} aria-describedby={control.error ? 'key-areas-error' : undefined}>
          <legend className={styles.legend}>Areas</legend>
          {offered.map((area) => (
            <Checkbox
              key={area}
              label={areaName(area)}
              checked={chosen.includes(area)}
              onChange={(checked) =>
                change({ chosen: checked ? [...chosen, area] : chosen.filter((other) => other !== area) })
              }
            />
          ))}
        </fieldset>
      )}
      {control.error && (
        <p id="key-areas-error" className={styles.error}>
          {control.error}
        </p>
      )}
    </>
  )
}
