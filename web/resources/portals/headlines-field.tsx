// Headlines field: the translations of a portal's headline.
import { messages } from '#contract/messages.ts'
import { headline_length_max } from '#contract/portals.ts'
import { languageCodes, languages, textsOf } from '#portal/languages.ts'
import { useField } from '#web/kit/form/use-field.ts'
import { FieldFact } from '#web/ui/facts.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { headlinesIn } from './design.ts'
import type { PortalFormState } from './rules.ts'
import styles from './sidebar.module.css'

const isTooLong = (text: string | undefined) => (text ?? '').trim().length > headline_length_max

export function HeadlinesField({ form }: { form: PortalFormState }) {
  const { label, value, set, readOnly } = useField(form, 'headlines')
  const headlines = headlinesIn(value)
  const given = languageCodes.filter((code) => headlines[code] !== undefined)
  if (readOnly)
    return given.length === 0 ? null : (
      <FieldFact label={label}>{given.map((code) => headlines[code]).join(' · ')}</FieldFact>
    )
  const isDefault = form.values['headline'] === messages.portal.headline
  return (
    <details className={styles.more} data-field="headlines">
      <summary>
        {label}
        {given.length > 0 && ` (${given.length})`}
      </summary>
      {languageCodes.map((code) => (
        <TextField
          key={code}
          name={`headlines.${code}`}
          label={languages[code]}
          value={headlines[code] ?? ''}
          placeholder={isDefault ? textsOf[code].headline : String(form.values['headline'] ?? '')}
          error={isTooLong(headlines[code]) ? `Please use at most ${headline_length_max} characters` : undefined}
          onChange={(text) => {
            const { [code]: _former, ...others } = headlines
            set(text.trim() === '' ? others : { ...others, [code]: text })
          }}
        />
      ))}
    </details>
  )
}
