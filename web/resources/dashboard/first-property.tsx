// First property: only asks for the name, if the browser's time zone reveals the country. Uses the portal and the package that a new
// customer has; the rest can be filled in later.
import { z } from 'zod'
import { messages } from '#contract/messages.ts'
import * as packages from '#contract/packages.ts'
import * as portals from '#contract/portals.ts'
import * as properties from '#contract/properties.ts'
import * as reference from '#contract/reference.ts'
import { call } from '#web/kit/call/call.ts'
import { freshKey } from '#web/kit/call/idempotency.ts'
import { useNames, type Name } from '#web/kit/call/names.ts'
import { forgetLists, invalidateOthers } from '#web/kit/call/query-client.ts'
import { countryHere } from '#web/kit/display/time-zones.ts'
import { Field } from '#web/kit/form/field.tsx'
import { General } from '#web/kit/form/resource-form.tsx'
import { useForm } from '#web/kit/form/use-form.ts'
import { go } from '#web/kit/navigation/go.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import styles from './dashboard.module.css'

const Named = z.object({ name: properties.PropertyInput.shape.name })

const isCountry = (row: object): row is z.output<typeof reference.Country> => 'time_zones' in row

/** The country of a first property, if the browser's time zone reveals it. */
export const useCountryHere = () => countryHere(useNames(reference.countries).filter(isCountry))

const isActive = ({ status }: Name) => status === 'active'

/** The only portal that shows guests a page, and the oldest package that is offered. */
export function presetsOf(every: { portals: readonly Name[]; packages: readonly Name[] }) {
  const [portal, ...others] = every.portals.filter(isActive)
  const [pack] = every.packages.filter(isActive).toSorted((one, other) => one.id - other.id)
  return { ...(portal && others.length === 0 && { portal_id: portal.id }), ...(pack && { package_id: pack.id }) }
}

export function FirstProperty({ country }: { country: { id: number; name: string } }) {
  const presets = presetsOf({ portals: useNames(portals.names), packages: useNames(packages.names) })
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
