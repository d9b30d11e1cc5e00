// Parameters: checks what a caller gives as the settings of something that is plugged in, and says what is to be stored of it.
import type { FieldErrors } from '#contract/errors.ts'
import { fieldErrors } from '#contract/field-errors.ts'
import { settingsOf, type Parameter, type Setting, type Settings } from '#contract/parameters.ts'
import { fieldUnknown } from '#contract/unknown-fields.ts'
import { invalid } from '#server/errors/refused.ts'

interface Kept {
  settings: Settings
  /** The keys of secrets that are set. */
  settings_set: readonly string[]
}

export interface CheckedSettings {
  settings: Settings
  /** Those that were given; null: to be taken away. */
  secrets: Readonly<Record<string, string | null>>
}

/** What a thing has besides its settings. */
interface Beside {
  /** Its address is a field, and becomes another one. */
  isElsewhere?: boolean
  /** Fields with secrets that stay as they are. */
  secrets?: readonly string[]
}

type Change = (parameter: Parameter, before: Setting | undefined, after: Setting | null | undefined) => boolean

const changesAddress: Change = ({ kind }, before, after) =>
  kind === 'url' && after !== undefined && after !== null && after !== before
/** A certificate that is accepted where there was none is the first word on what stands at that address. */
const changesCertificate: Change = ({ pins }, before, after) =>
  pins === true && before !== undefined && after !== undefined && after !== before

const askedAgain = (changed: string) => [`Please enter it again, as the ${changed} has changed`]

/**
 * A key that is absent stays as it is, but for secrets where the settings lead to another address: they were given for the former, and
 * whoever may change an address need not know them (decision 236). A setting that the kind has no parameter for is dropped: it was another
 * kind's.
 *
 * @throws a refusal that names each wrong one as `settings.<key>`
 */
export function checkParameters(
  parameters: readonly Parameter[],
  given: Readonly<Record<string, Setting | null>> = {},
  kept: Kept = { settings: {}, settings_set: [] },
  { isElsewhere = false, secrets: fields = [] }: Beside = {},
): CheckedSettings {
  const isKept = (key: string) => key in kept.settings || kept.settings_set.includes(key)
  const known = new Set(parameters.map(({ key }) => key))
  const errors: FieldErrors = {}
  for (const key of Object.keys(given)) if (!known.has(key)) errors[key] = [fieldUnknown]
  const read = settingsOf(parameters, isKept).safeParse(given)
  if (!read.success) Object.assign(errors, fieldErrors(read.error))
  const values = (read.data ?? {}) as Record<string, Setting | null | undefined>
  for (const { key, kind, once } of parameters)
    if (once && isKept(key) && values[key] !== undefined && (kind === 'secret' || values[key] !== kept.settings[key]))
      errors[key] = ['This cannot be changed any more']
  const some = (changes: Change) => parameters.some((one) => changes(one, kept.settings[one.key], values[one.key]))
  const changed =
    isElsewhere || some(changesAddress) ? 'address' : some(changesCertificate) ? 'accepted certificate' : null
  if (changed !== null)
    for (const { key } of parameters)
      if (kept.settings_set.includes(key) && values[key] === undefined) errors[key] ??= askedAgain(changed)
  const wrong = Object.entries(errors).map(([key, sentences]) => [`settings.${key}`, sentences] as const)
  const wrong_fields = changed === null ? [] : fields.map((name) => [name, askedAgain(changed)] as const)
  if (wrong.length > 0 || wrong_fields.length > 0) throw invalid(Object.fromEntries([...wrong, ...wrong_fields]))

  const settings: Record<string, Setting> = {}
  const secrets: Record<string, string | null> = {}
  for (const { key, kind } of parameters) {
    const value = values[key]
    if (kind === 'secret') {
      if (value !== undefined) secrets[key] = value === null ? null : String(value)
      continue
    }
    const after = value === undefined ? kept.settings[key] : value
    if (after !== undefined && after !== null) settings[key] = after
  }
  return { settings, secrets }
}
