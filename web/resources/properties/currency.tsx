// Currency of a property: that of its country, unless another is chosen.
import { currencies } from '#contract/money.ts'
import { ChoiceField } from '#web/kit/form/choice-field.tsx'
import type { Form } from '#web/kit/form/use-form.ts'
import type { PropertySchema } from './rules.ts'

const names = new Intl.DisplayNames('en', { type: 'currency' })
const options = currencies.map((code) => ({
  value: code,
  label: `${code}, ${names.of(code) ?? code}`,
}))

export const CurrencyField = ({ form }: { form: Form<PropertySchema> }) => (
  <ChoiceField
    form={form}
    name="currency"
    placeholder="That of the country"
    hint="For the rate and the bill."
    options={options}
  />
)
