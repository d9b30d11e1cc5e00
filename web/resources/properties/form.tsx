// Property details: all fields of one property on one page, with a notice of what a draft still lacks.
import * as properties from '#contract/properties.ts'
import { ResourceForm } from '#web/kit/form/resource-form.tsx'
import { useRecord, useResource } from '#web/kit/form/use-resource.ts'
import { to } from '#web/paths.ts'
import { Notice } from '#web/ui/state.tsx'
import { AddressFields, BillingFields, MriFields, PropertyFields, StatusFields, WifiFields } from './fields.tsx'
import { appContext } from '#web/session/context.ts'
import { locksFor, namesOf, schemaFor } from './rules.ts'
import { WhatIf } from './what-if.tsx'
import styles from './properties.module.css'

export function PropertyForm({ id }: { id: number }) {
  const record = useRecord(properties, id)
  const form = useResource(properties, schemaFor, id, {}, locksFor(appContext()))
  const missing = properties.requiredUnlessDraft.filter((name) => !form.values[name])
  return (
    <ResourceForm form={form} noun="property" back={to.properties()}>
      {record?.draft && (
        <div className={styles.draft}>
          <Notice>
            {missing.length === 0
              ? 'This property is a draft, and complete. Activate it to let guests in.'
              : `This property is a draft. To activate it, fill in: ${namesOf(missing)}.`}
          </Notice>
        </div>
      )}
      <PropertyFields form={form} />
      <AddressFields form={form} />
      <WifiFields form={form} />
      <BillingFields form={form} />
      {record && <WhatIf id={id} form={form} saved={record} />}
      <MriFields form={form} />
      <StatusFields form={form} />
    </ResourceForm>
  )
}
