// First property: only asks for the name, if the browser's time zone reveals the country. Uses the portal and the package that a new
// customer has; the rest can be filled in later.
import { z } from 'zod'
import { messages } from '#contract/messages.ts'
import * as properties from '#contract/properties.ts'
import { call } from '#web/kit/call/call.ts'
import { freshKey } from '#web/kit/call/idempotency.ts'
import { forgetLists, invalidateOthers } from '#web/kit/call/query-client.ts'
import { Field } from '#web/kit/form/field.tsx'
import { General } from '#web/kit/form/resource-form.tsx'
import { useForm } from '#web/kit/form/use-form.ts'
import { go } from '#web/kit/navigation/go.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { usePropertyPresets } from '#web/limits/property-presets.ts'
import { to } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import styles from './dashboard.module.css'

const Named = z.object({ name: properties.PropertyInput.shape.name })

export function FirstProperty({ country }: { country: { id: number; name: string } }) {
  const presets = usePropertyPresets()
  const form = useForm(Named, { name: '' }, async ({ name }) => {
    const { id } = await call(
      properties.create,
      { name, country_id: country.id, ...presets },
      { idempotencyKey: freshKey() },
    )
    forgetLists(properties.list.path)
    invalidateOthers()
    go(to.propertyCreated(id))
  })
  return (
    <form {...form.bind} className={styles.firstProperty}>
      <General sentences={form.general} />
      <Field form={form} name="name" label="Name" first />
      <Button kind="primary" submit busy={form.saving}>
        {messages.portal.create}
      </Button>
      <p>
        In {country.name}. <Link href={to.newProperty()}>Fill in more</Link>
      </p>
    </form>
  )
}
