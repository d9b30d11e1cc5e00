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

/**
 * A key that is absent stays as it is. A setting that the kind has no parameter for is dropped: it was another kind's.
 *
 * @throws a refusal that names each wrong one as `settings.<key>`
 */
export function checkSettings(
  parameters: readonly Parameter[],
  given: Readonly<Record<string, Setting | null>> = {},
  kept: Kept = { settings: {}, settings_set: [] },
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
  if (Object.keys(errors).length > 0)
    throw invalid(Object.fromEntries(Object.entries(errors).map(([key, sentences]) => [`settings.${key}`, sentences])))

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
