// Parameters: what a kind of thing that is plugged in needs to be told, from which its form is drawn.
import { z } from 'zod'

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
  help: z.string().nullable(),
})
export type Parameter = z.output<typeof Parameter>
