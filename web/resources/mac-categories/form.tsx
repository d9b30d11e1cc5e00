// MAC category form: for a new category and for an existing one.
import * as devices from '#contract/devices.ts'
import * as macCategories from '#contract/mac-categories.ts'
import { FieldSection } from '#web/kit/form/field-section.tsx'
import { Field } from '#web/kit/form/field.tsx'
import { Permitted } from '#web/kit/form/permitted.tsx'
import { ResourceForm } from '#web/kit/form/resource-form.tsx'
import { StatusField } from '#web/kit/form/status-field.tsx'
import { SwitchField } from '#web/kit/form/switch-field.tsx'
import { useRecord, useResource } from '#web/kit/form/use-resource.ts'
import { leaveTo } from '#web/kit/navigation/go.ts'
import { Link, LinkButton } from '#web/kit/navigation/link.tsx'
import { stringifySearch } from '#web/kit/navigation/search-params.ts'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { PageHeader, Section } from '#web/ui/page.tsx'

const back = () => to.macCategories()

function MacCategoryForm({ id }: { id?: number }) {
  const form = useResource(macCategories, macCategories.MacCategoryInput, id)
  return (
    <ResourceForm form={form} noun="category" back={back()} onDone={() => leaveTo(back())}>
      <FieldSection
        form={form}
        fields={macCategories.fields}
        section="category"
        title="Category"
        hint="What kind of device it is. Lists and reports can be narrowed to it."
        own={{
          name: <Field form={form} name="name" first={id === undefined} />,
          blocks: (
            <SwitchField
              form={form}
              name="blocks"
              hint="They are refused however they sign in, even with a valid voucher."
            />
          ),
        }}
      />
      <Section title="Status">
        <StatusField
          form={form}
          means={{
            active: 'It can be chosen for devices.',
            disabled: 'It is no longer offered. Devices that have it keep it.',
          }}
        />
      </Section>
    </ResourceForm>
  )
}

export const MacCategoryScreen = ({ id }: { id?: number }) =>
  id === undefined ? <NewMacCategory /> : <MacCategoryDetail id={id} />

const NewMacCategory = () => (
  <>
    <PageHeader title="New category" above={<Link href={back()}>MAC categories</Link>} />
    <Permitted to={macCategories.create} back={back()} icon="devices">
      <MacCategoryForm />
    </Permitted>
  </>
)

function MacCategoryDetail({ id }: { id: number }) {
  const category = useRecord(macCategories, id)
  const mayList = useMayCall(devices.list)
  return (
    <>
      <PageHeader
        title={category?.name}
        above={<Link href={back()}>MAC categories</Link>}
        actions={
          mayList && (
            <LinkButton icon="devices" href={to.devices() + stringifySearch({ 'filter.mac_category_id': id })}>
              Its devices
            </LinkButton>
          )
        }
      />
      <MacCategoryForm id={id} />
    </>
  )
}
