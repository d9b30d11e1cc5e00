// Errors: the refusals of the API and the sentences that a field shows. Both sides say them from here.
import { z } from 'zod'
import { messages } from './messages.ts'

/** The whole answer policy (DECISIONS §3). 401 means only: no token, or a dead one. */
export const refusals = {
  unauthenticated: { status: 401, message: 'Unauthenticated.' },
  forbidden: { status: 403, message: 'This action is unauthorized.' },
  notFound: { status: 404, message: 'Not found.' },
  clash: { status: 409, message: 'This conflicts with what is stored. Reload and try again.' },
  tooLarge: { status: 413, message: 'The request is too large.' },
  unsupported: { status: 415, message: 'Send application/json.' },
  invalid: { status: 422, message: 'The given data was invalid.' },
  tooMany: { status: 429, message: 'Too many attempts. Please wait a moment and try again.' },
  broken: { status: 500, message: 'Something went wrong on our side. Please try again.' },
  unavailable: { status: 503, message: 'The service is busy. Please try again in a moment.' },
} as const
export type RefusalName = keyof typeof refusals

/** `{field: [sentence, …]}`; a field inside a list or an object is named by its path, joined with dots. */
export type FieldErrors = Record<string, string[]>

export const Refusal = z
  .object({ message: z.string(), errors: z.record(z.string(), z.array(z.string())).optional() })
  .meta({ id: 'Refusal' })

/** A reference that is absent or out of reach: the same sentence for both, so that it tells nothing. */
export const selectedInvalid = (field: string) => `The selected ${field.replaceAll('_', ' ')} is invalid.`

/** A field that only the customer's own users may write, sent with another value by somebody of a group or property. */
export const reservedForCustomer = 'Only users of the whole company can change this.'
/** The same for one that takes more than the front desk may. */
export const reservedForEditors = 'Only editors can change this.'

/** A save that would overwrite what somebody else has changed since it was read. */
export const changedMeanwhile = (who = 'Somebody else') => `${who} has changed this meanwhile.`

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
