// Time zone of a property: a select of all zones, those of its country first. Left empty, the country's zone applies; if the country
// has several, the form asks.
import * as properties from '#contract/properties.ts'
import type * as reference from '#contract/reference.ts'
import type { Output } from '#contract/endpoint.ts'
import { useState } from 'react'
import { call } from '#web/kit/call/call.ts'
import { showChange } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { zoneName, zoneOptions } from '#web/kit/display/time-zones.ts'
import { ChoiceField } from '#web/kit/form/choice-field.tsx'
import type { Form } from '#web/kit/form/use-form.ts'
import { useCountries } from '#web/limits/property-presets.ts'
import { Button } from '#web/ui/button.tsx'
import type { PropertySchema } from './rules.ts'

type Country = Output<typeof reference.countries>[number]
const useCountry = (country_id: unknown) => useCountries().find(({ id }) => id === country_id)

export function TimeZoneField({ form }: { form: Form<PropertySchema> }) {
  const country = useCountry(form.values['country_id'])
  const chosen = form.values['time_zone']
  const options = zoneOptions(useCountries(), country?.time_zones ?? [], chosen)
  return (
    <ChoiceField
      form={form}
      name="time_zone"
      placeholder={country && !country.several_clocks ? zoneName(country.time_zone) : 'Choose…'}
      hint={hintFor(country, typeof chosen === 'string')}
      options={options}
    />
  )
}

function hintFor(country: Country | undefined, is_chosen: boolean): string {
  if (is_chosen || !country) return 'Nights begin and allowances renew at this zone’s midnight.'
  const zone = zoneName(country.time_zone)
  return country.several_clocks
    ? `Which one? ${country.name} has several; until you choose, it is ${zone}.`
    : `Time zone: ${zone}, as everywhere in the country.`
}

/** The name of the zone that a new property will have. */
export function useTimeZone({ country_id, time_zone }: Record<string, unknown>): string {
  const country = useCountry(country_id)
  if (typeof time_zone === 'string') return zoneName(time_zone)
  if (!country) return ''
  return country.several_clocks ? `${zoneName(country.time_zone)} (not chosen)` : zoneName(country.time_zone)
}

/** Confirms the zone that was assumed. */
export function KeepZone({ property: { id, time_zone } }: { property: Output<typeof properties.get> }) {
  const [busy, setBusy] = useState(false)
  const keep = async () => {
    setBusy(true)
    try {
      const changed = await call(properties.update, { id, time_zone })
      showChange({ one: properties.get.path, list: properties.list.path }, id, changed)
    } catch (error) {
      notify.failure(error)
    }
    setBusy(false)
  }
  return (
    <Button busy={busy} onClick={() => void keep()}>
      It is right
    </Button>
  )
}
