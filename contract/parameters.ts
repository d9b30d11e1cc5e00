// Parameters: what a kind of thing that is plugged in needs to be told; its form is drawn from them, and what is told is checked by them.
import { z } from 'zod'
import { text, pageAddress } from './shapes.ts'

export const Parameter = z.object({
  key: z.string(),
  label: z.string(),
  /** A `secret` is stored encrypted, and never answered. */
  kind: z.enum(['text', 'secret', 'url', 'number', 'choice', 'switch']),
  /** Of a choice: what is stored, and what people read. */
  choices: z.array(z.object({ value: z.string(), label: z.string() })),
  required: z.boolean(),
  /** Cannot be changed once it is set. */
  once: z.boolean(),
  /** The certificate by which the other side is known: as long as there is one, it is changed like an address (`url`), with all secrets. */
  pins: z.boolean().optional(),
  help: z.string().nullable(),
})
export type Parameter = z.output<typeof Parameter>

const Setting = z.union([z.string(), z.number(), z.boolean()])
export type Setting = z.output<typeof Setting>
/** As they are stored and answered, by the keys of the parameters. */
export const Settings = z.record(z.string(), Setting)
export type Settings = Readonly<z.output<typeof Settings>>
/** As they are given: what is absent stays, null and an empty text take away. With another address, secrets have to be given again. */
export const SettingsInput = z.record(z.string(), Setting.nullable())

const valueOf = ({ kind, choices }: Parameter): z.ZodType<Setting> => {
  switch (kind) {
    case 'text':
      return text(1000)
    case 'secret':
      return text(2000)
    case 'url':
      return pageAddress
    case 'number':
      return z.number()
    case 'choice':
      return z.enum(choices.map(({ value }) => value))
    case 'switch':
      return z.boolean()
  }
}

const orNothing = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? null : value)

/** What may be given for these parameters. `isSet`: whether one of them has a value already. */
export const settingsOf = (parameters: readonly Parameter[], isSet: (key: string) => boolean) =>
  z.object(
    Object.fromEntries(
      parameters.map((parameter) => {
        const { key, required } = parameter
        const value = required ? valueOf(parameter) : valueOf(parameter).nullable()
        return [key, z.preprocess(orNothing, required && !isSet(key) ? value : value.optional())]
      }),
    ),
  )
