// Another address: asked of a user whose address its holder has taken off.
import { AnotherAddress as Fields, anotherAddress } from '#contract/address-confirmation.ts'
import { call } from '#web/kit/call/call.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { Field } from '#web/kit/form/field.tsx'
import { General } from '#web/kit/form/resource-form.tsx'
import { useForm } from '#web/kit/form/use-form.ts'
import { recheckRightsInAllTabs } from '#web/session/tabs.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/state.tsx'
import styles from './mails-wait.module.css'

export function AnotherAddress() {
  const form = useForm(Fields, { email: '' }, async (values) => {
    await call(anotherAddress, values)
    notify.success(`A link is on its way to ${values.email}`)
    recheckRightsInAllTabs()
  })
  return (
    <Notice tone="error">
      The address that you signed up with belongs to somebody else, who has removed it. Enter one of your own within
      seven days, or this account will be deleted.
      <form {...form.bind} className={styles.another}>
        <General sentences={form.general} />
        <Field form={form} name="email" label="Your address" type="email" autoComplete="email" />
        <Button kind="primary" submit busy={form.saving}>
          Send the link there
        </Button>
      </form>
    </Notice>
  )
}
