// Field errors: what zod finds wrong, in the specification's words, and the body of a refusal that carries them.
import { z } from 'zod'
import type { FieldErrors } from './errors.ts'
import { messages } from './messages.ts'

export const Refusal = z
  .object({
    message: z.string(),
    errors: z.record(z.string(), z.array(z.string())).optional(),
    /** Beside 5xx: what the log knows the request by. The header `X-Request-Id` has it on every answer. */
    request_id: z.string().optional(),
  })
  .meta({ id: 'Refusal' })

const isMissing = (input: unknown) => input === undefined || input === null || input === ''

/** The specification's sentence for what zod found wrong (section 5). Undefined leaves a schema's own message. */
function sentence(issue: z.core.$ZodRawIssue): string | undefined {
  if (isMissing(issue.input)) return messages.fields.required
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'int') return messages.fields.integer
      if (issue.expected === 'number') return messages.fields.numeric
      return `This must be ${issue.expected === 'array' ? 'a list' : `a ${String(issue.expected)}`}`
    case 'too_small':
      if (issue.origin === 'string' || issue.origin === 'array')
        return issue.minimum === 1 ? messages.fields.required : `Please use at least ${issue.minimum} characters`
      return issue.minimum === 0 ? messages.fields.numeric : messages.fields.minimum(issue.minimum)
    case 'too_big':
      if (issue.origin === 'string') return `Please use at most ${issue.maximum} characters`
      if (issue.origin === 'array') return `Please give at most ${issue.maximum} entries`
      return `Please enter a number of at most ${issue.maximum}`
    case 'invalid_format':
      return issue.format === 'email' ? messages.fields.email : undefined
    case 'unrecognized_keys':
      return 'This is not known here'
    case 'invalid_value':
      return `Please choose one of: ${issue.values.map(String).join(', ')}`
    default:
      return undefined
  }
}
z.config({ customError: sentence })

/** A failed parse as field errors, in the order they were found. */
export function fieldErrors(error: z.ZodError): FieldErrors {
  // A caller may name a field `constructor` or `__proto__`, which every plain object has already.
  const errors = new Map<string, string[]>()
  for (const issue of error.issues) {
    const fields = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path]
    for (const field of fields) {
      const name = field.join('.')
      errors.set(name, [...(errors.get(name) ?? []), issue.message])
    }
  }
  return Object.fromEntries(errors)
}
