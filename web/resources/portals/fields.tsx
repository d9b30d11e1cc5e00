// Portal fields: the groups of the sidebar, in the order in which a portal is made: name and type, look, texts, ways to sign in,
// and where it is shown.
import type { ReactNode } from 'react'
import { constants } from '#contract/constants.ts'
import { fieldsIn } from '#contract/fields.ts'
import { fields, portalLayouts, portalTypes } from '#contract/portals.ts'
import type { ColourField as ColourName } from '#portal/colours.ts'
import { ColourField } from '#web/kit/form/colour-field.tsx'
import { FieldRows } from '#web/kit/form/field-section.tsx'
import { Field } from '#web/kit/form/field.tsx'
import { LookupChecks } from '#web/kit/form/lookup-checks.tsx'
import { Lookup } from '#web/kit/form/lookup.tsx'
import { PictureField } from '#web/kit/form/picture-field.tsx'
import { StatusField } from '#web/kit/form/status-field.tsx'
import { TextAreaField } from '#web/kit/form/text-area-field.tsx'
import { contrastWarnings } from './contrast.ts'
import { HeadlinesField } from './headlines-field.tsx'
import type { PortalField, PortalFormState } from './rules.ts'
import styles from './sidebar.module.css'

interface Fields {
  form: PortalFormState
}

interface GroupProps {
  title: string
  hint?: string
  /** The target of the notice about missing fields, if the field has no text box. */
  field?: PortalField
  required?: boolean
  children: ReactNode
}

const Group = ({ title, hint, field, required = false, children }: GroupProps) => (
  <section className={styles.group} data-field={field}>
    <h2>
      {title}
      {required && <span aria-hidden> *</span>}
    </h2>
    {hint && <p>{hint}</p>}
    {children}
  </section>
)

export function PortalFields({ form, isNew }: Fields & { isNew: boolean }) {
  const type = form.values['portal_type_id']
  const isStandard = type === portalTypes.standard
  return (
    <>
      <Group title={type === portalTypes.custom ? 'Name' : 'Name and type'}>
        <FieldRows
          form={form}
          fields={fields}
          section="portal"
          own={{
            name: <Field form={form} name="name" first={isNew} hint="For your team. Guests do not see it." />,
            // Custom portals are created by importing a zip, and cannot change their type.
            portal_type_id: type !== portalTypes.custom && (
              <Lookup form={form} name="portal_type_id" only={({ id }) => id !== portalTypes.custom} />
            ),
            custom_portal_url: type === portalTypes.external && (
              <Field
                form={form}
                name="custom_portal_url"
                type="url"
                placeholder="https://wifi.example.com"
                hint="Guests are sent there instead of a page of ours."
              />
            ),
          }}
        />
      </Group>
      {isStandard && <LookFields form={form} />}
      {/* Custom pages show these texts where they have placeholders for them. */}
      {type === portalTypes.custom && <WordFields form={form} />}
      <Group title="Signing in" field="auth_method_ids">
        <FieldRows
          form={form}
          fields={fields}
          section="sign_in"
          own={{
            auth_method_ids: <LookupChecks form={form} name="auth_method_ids" />,
            redirect_url: (
              <Field form={form} name="redirect_url" type="url" hint="Leave it empty to keep them on the portal." />
            ),
          }}
        />
      </Group>
      {type !== portalTypes.external && <LegalFields form={form} />}
      <PlaceFields form={form} />
    </>
  )
}

function LookFields({ form }: Fields) {
  const warnings = contrastWarnings(form.values)
  const colours = fieldsIn(fields, 'colours') as ColourName[]
  const size = { types: constants.picture.types, bytes_max: constants.picture.file_bytes_max }
  return (
    <>
      <Group
        title="Logo"
        hint="On the page’s background, ideally without a margin of its own."
        field="logo"
        required={!form.readOnly && form.required('logo')}
      >
        <FieldRows
          form={form}
          fields={fields}
          section="logo"
          own={{ logo: <PictureField form={form} name="logo" {...size} /> }}
        />
      </Group>
      <Group title="Layout and font">
        <FieldRows form={form} fields={fields} section="layout" />
      </Group>
      {form.values['portal_layout_id'] === portalLayouts.withImage && (
        <Group title="Side image" hint="Beside the form, and on a phone above it." field="portal_image">
          <FieldRows
            form={form}
            fields={fields}
            section="side_image"
            own={{ portal_image: <PictureField form={form} name="portal_image" {...size} /> }}
          />
        </Group>
      )}
      <WordFields form={form} />
      <Group title="Colours">
        <div className={styles.colours}>
          <FieldRows
            form={form}
            fields={fields}
            section="colours"
            own={Object.fromEntries(
              colours.map((name) => [
                name,
                <ColourField key={name} form={form} name={name} warning={warnings[name]} />,
              ]),
            )}
          />
        </div>
      </Group>
    </>
  )
}

const WordFields = ({ form }: Fields) => (
  <Group title="Words">
    <FieldRows
      form={form}
      fields={fields}
      section="words"
      own={{
        headlines: <HeadlinesField form={form} />,
        company_name: <Field form={form} name="company_name" hint="Whose Wi-Fi it is, as guests see it." />,
        portal_footer: (
          <TextAreaField form={form} name="portal_footer" rows={2} hint="Small, at the end of the page." />
        ),
      }}
    />
  </Group>
)

const LegalFields = ({ form }: Fields) => (
  <Group title="Terms and privacy">
    <FieldRows
      form={form}
      fields={fields}
      section="legal"
      own={{
        terms: (
          <TextAreaField
            form={form}
            name="terms"
            rows={4}
            hint="What guests agree to before they sign in. Each wording is kept with who agreed to it."
          />
        ),
        privacy_url: <Field form={form} name="privacy_url" type="url" placeholder="https://www.example.com/privacy" />,
        marketing_text: (
          <TextAreaField
            form={form}
            name="marketing_text"
            rows={2}
            hint="Its box is never ticked in advance. Leave it empty not to ask guests."
          />
        ),
      }}
    />
  </Group>
)

const PlaceFields = ({ form }: Fields) => (
  <>
    <Group title="Where it is shown">
      <FieldRows
        form={form}
        fields={fields}
        section="place"
        hints={{
          property_ids: 'It replaces the portal they have now.',
          slug: 'Lower-case letters, digits and hyphens. Leave it empty to use the name.',
        }}
      />
    </Group>
    <Group title="Status">
      <StatusField
        form={form}
        means={{
          active: 'Guests of its properties see it.',
          disabled: 'Guests are told that there is no page.',
          draft: 'Not finished. Nobody sees it yet.',
        }}
      />
    </Group>
  </>
)
