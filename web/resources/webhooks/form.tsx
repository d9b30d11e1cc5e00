// Webhook form: where events go, which, and whether names of guests go along; and the secret of a new one.
import { useState } from 'react'
import type { Output } from '#contract/endpoint.ts'
import { eventNames, eventTypes } from '#contract/events.ts'
import * as webhooks from '#contract/webhooks.ts'
import { FieldSection } from '#web/kit/form/field-section.tsx'
import { Field } from '#web/kit/form/field.tsx'
import { OwnerField } from '#web/kit/form/owner-field.tsx'
import { Permitted } from '#web/kit/form/permitted.tsx'
import { ResourceForm } from '#web/kit/form/resource-form.tsx'
import { StatusField } from '#web/kit/form/status-field.tsx'
import { SwitchField } from '#web/kit/form/switch-field.tsx'
import { useField } from '#web/kit/form/use-field.ts'
import type { Form } from '#web/kit/form/use-form.ts'
import { useResource } from '#web/kit/form/use-resource.ts'
import { JustMade } from '#web/kit/made/just-made.tsx'
import { Link, LinkButton } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { useSession } from '#web/session/session.ts'
import { Checks } from '#web/ui/checks.tsx'
import { FieldFact } from '#web/ui/facts.tsx'
import { PageHeader, Section } from '#web/ui/page.tsx'
import { Notice } from '#web/ui/state.tsx'
import { hostOf } from './kind.tsx'
import { SecretValue } from './secret.tsx'

type Schema = typeof webhooks.WebhookInput

const options = eventNames.map((type) => ({ value: type, label: `${eventTypes[type].title} (${type})` }))

function EventChecks({ form }: { form: Form<Schema> }) {
  const { label, value, set, control, readOnly } = useField(form, 'events')
  const chosen = Array.isArray(value) ? (value as string[]) : []
  if (readOnly) return <FieldFact label={label}>{chosen.join(', ')}</FieldFact>
  return (
    <Checks
      label={label}
      required={control.required}
      error={control.error}
      options={options}
      value={chosen}
      onChange={(next) => {
        set(eventNames.filter((type) => next.includes(type)))
        control.onBlur()
      }}
    />
  )
}

function WebhookFields({ form, isNew }: { form: Form<Schema>; isNew: boolean }) {
  const { user } = useSession()
  return (
    <>
      <FieldSection
        form={form}
        fields={webhooks.fields}
        section="webhook"
        title="Webhook"
        hint="The address is sent a signed POST for each event, within seconds."
        own={{
          owner_type: isNew && <OwnerField form={form} type="owner_type" id="owner_id" />,
          owner_id: null,
          url: (
            <Field form={form} name="url" placeholder="https://crm.example/foyer" autoComplete="off" first={isNew} />
          ),
          events: <EventChecks form={form} />,
          personal_data: user?.owner_type === 'Customer' && (
            <SwitchField
              form={form}
              name="personal_data"
              label="Send names, addresses and numbers of guests"
              hint="Otherwise only ids are sent, and the other program asks for what it needs with an API key."
            />
          ),
        }}
      />
      <Section title="Status">
        <StatusField
          form={form}
          means={{
            active: 'Events are sent to it.',
            disabled: 'Nothing is sent to it. What happens in the meantime can be sent later.',
          }}
        />
      </Section>
    </>
  )
}

export function NewWebhook() {
  const back = to.webhooks()
  return (
    <>
      <PageHeader title="New webhook" above={<Link href={back}>Webhooks</Link>} />
      <Permitted to={webhooks.create} back={back} icon="integrations">
        <CreateForm back={back} />
      </Permitted>
    </>
  )
}

function CreateForm({ back }: { back: string }) {
  const { user } = useSession()
  const [made, setMade] = useState<Output<typeof webhooks.create>>()
  const form = useResource(webhooks, webhooks.WebhookInput, undefined, { owner_type: user?.owner_type, events: [] })
  if (made) return <Made made={made} back={back} />
  return (
    <ResourceForm
      form={form}
      noun="webhook"
      back={back}
      onDone={(saved) => setMade(saved as Output<typeof webhooks.create>)}
    >
      <WebhookFields form={form} isNew />
    </ResourceForm>
  )
}

const Made = ({ made, back }: { made: Output<typeof webhooks.create>; back: string }) => (
  <JustMade
    title="The webhook is ready"
    note={hostOf(made)}
    actions={
      <LinkButton kind="primary" href={to.webhook(made.id)}>
        Open and test it
      </LinkButton>
    }
    next={
      <LinkButton kind="quiet" href={back}>
        All webhooks
      </LinkButton>
    }
  >
    <Notice>Copy the secret now: it is not shown again. What arrives is signed with it, by Standard Webhooks.</Notice>
    <SecretValue secret={made.secret} />
  </JustMade>
)

export function WebhookForm({ id, back }: { id: number; back: string }) {
  const form = useResource(webhooks, webhooks.WebhookInput, id)
  return (
    <ResourceForm form={form} noun="webhook" back={back}>
      <WebhookFields form={form} isNew={false} />
    </ResourceForm>
  )
}
