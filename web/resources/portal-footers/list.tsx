// Footer branding: the section of the profile with the customer's footer: its picture, its link, and a preview.
import { useQuery } from '@tanstack/react-query'
import { constants } from '#contract/constants.ts'
import * as footers from '#contract/portal-footers.ts'
import { FooterInput } from '#contract/portal-footers.ts'
import { call } from '#web/kit/call/call.ts'
import { keys } from '#web/kit/call/query-client.ts'
import { RecordActions } from '#web/kit/detail/record-actions.tsx'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { StatusBadge } from '#web/kit/display/status-badge.tsx'
import { FieldSection } from '#web/kit/form/field-section.tsx'
import { Field } from '#web/kit/form/field.tsx'
import { PictureField } from '#web/kit/form/picture-field.tsx'
import { ResourceForm } from '#web/kit/form/resource-form.tsx'
import { StatusField } from '#web/kit/form/status-field.tsx'
import { useResource } from '#web/kit/form/use-resource.ts'
import { here } from '#web/kit/navigation/go.ts'
import { useMayCall } from '#web/session/may.ts'
import { to } from '#web/paths.ts'
import { Section } from '#web/ui/page.tsx'
import { EmptyState, Skeleton } from '#web/ui/state.tsx'
import { footerKind, type Footer } from './kind.ts'
import { FooterPreview } from './preview.tsx'
import styles from './portal-footers.module.css'

export function FooterBranding() {
  const mayCreate = useMayCall(footers.create)
  const { data, error, refetch } = useQuery({
    queryKey: keys.one(footers.list.path, 0),
    queryFn: ({ signal }) => call(footers.list, { per_page: 1 }, { signal }),
  })
  if (data) {
    const [footer] = data.data
    // The key resets the form, so that nothing of a deleted footer gets into the next one.
    if (footer) return <OneFooter key={footer.id} footer={footer} />
    return mayCreate ? <FooterForm key="new" /> : <NoFooter />
  }
  if (error) return <LoadFailed error={error} again={() => void refetch()} />
  return (
    <div role="status" aria-busy="true" aria-label="Loading">
      <Skeleton height={96} />
    </div>
  )
}

const NoFooter = () => (
  <EmptyState icon="brandings" title="No portal footer yet">
    A footer is a picture with a link, below every portal. An editor of the company can add one.
  </EmptyState>
)

const OneFooter = ({ footer }: { footer: Footer }) => (
  <>
    <div className={styles.head}>
      <StatusBadge of={footer.status} />
      <RecordActions kind={footerKind} record={footer} back={here()} />
    </div>
    <FooterForm footer={footer} />
  </>
)

function FooterForm({ footer }: { footer?: Footer }) {
  const form = useResource(footers, FooterInput, footer?.id)
  const { image, url } = form.values
  return (
    <div>
      <ResourceForm form={form} noun="footer" back={to.dashboard()}>
        <FieldSection
          form={form}
          fields={footers.fields}
          section="picture"
          title="Picture"
          hint="It appears below every portal. It is redrawn before it is stored, without where and when it was taken."
          own={{
            image: (
              <PictureField
                form={form}
                name="image"
                types={constants.picture.types}
                bytes_max={constants.picture.file_bytes_max}
              />
            ),
          }}
        />
        <FieldSection
          form={form}
          fields={footers.fields}
          section="link"
          title="Link"
          hint="Where guests go when they press the picture. Leave it empty for a picture without a link."
          own={{ url: <Field form={form} name="url" type="url" placeholder="https://www.example.com" /> }}
        />
        <Section title="As guests see it" hint="The bottom of a portal, as it looks on a phone.">
          <FooterPreview
            image={image instanceof File ? image : undefined}
            kept={form.record}
            url={typeof url === 'string' && url !== '' ? url : null}
          />
        </Section>
        <Section title="Status">
          <StatusField
            form={form}
            means={{
              active: 'Guests see it below every portal.',
              disabled: 'No portal shows it, but it is kept.',
            }}
          />
        </Section>
      </ResourceForm>
    </div>
  )
}
