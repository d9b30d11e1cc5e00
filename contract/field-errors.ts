// Field errors: what zod finds wrong, in the specification's words, and the body of the refusal that contains it.
import { z } from 'zod'
import type { FieldErrors } from './errors.ts'
import { messages } from './messages.ts'
import { fieldUnknown } from './unknown-fields.ts'

export const Refusal = z
  .object({
    message: z.string(),
    errors: z.record(z.string(), z.array(z.string())).optional(),
    /** With 403: the call goes on once `/auth/prove` has been given this. */
    asks: z.literal('password').optional(),
    /** With 5xx: the request's id in the log. Every answer has it in its header `X-Request-Id`. */
    request_id: z.string().optional(),
  })
  .meta({ id: 'Refusal' })

const isMissing = (input: unknown) => input === undefined || input === null || input === ''

const kinds: Record<string, string> = {
  array: 'a list',
  boolean: 'true or false',
  date: 'a date',
  file: 'a file',
  object: 'an object',
  record: 'an object',
  string: 'text',
}
const formats: Record<string, string> = {
  datetime: 'Please enter a date and time, such as 2026-03-01T09:30:00Z',
  date: 'Please enter a date, such as 2026-03-01',
  email: messages.fields.email,
}
export const oneOf = (words: readonly unknown[]) => `Please choose one of: ${words.map(String).join(', ')}`

/** For a value that fits no option of a union; replaced by the problems of the likeliest option, see `likeliest`. */
const noneFits = 'Please check this value'

/**
 * The specification's sentence for what zod found wrong (section 5), or one of ours where it has none, so that nobody sees the
 * library's own messages.
 */
function sentence(issue: z.core.$ZodRawIssue): string {
  if (isMissing(issue.input)) return messages.fields.required
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'int') return messages.fields.integer
      if (issue.expected === 'number') return messages.fields.numeric
      return `This must be ${kinds[issue.expected] ?? 'another kind of value'}`
    case 'too_small':
      if (issue.origin === 'string')
        return issue.minimum === 1 ? messages.fields.required : `Please use at least ${issue.minimum} characters`
      if (issue.origin === 'array')
        return issue.minimum === 1 ? messages.fields.required : `Please give at least ${issue.minimum} entries`
      return issue.minimum === 0 ? messages.fields.numeric : messages.fields.minimum(issue.minimum)
    case 'too_big':
      if (issue.origin === 'string') return `Please use at most ${issue.maximum} characters`
      if (issue.origin === 'array') return `Please give at most ${issue.maximum} entries`
      return messages.fields.maximum(issue.maximum)
    case 'invalid_format':
      return formats[issue.format] ?? 'Please check how this is written'
    case 'unrecognized_keys':
      return fieldUnknown
    case 'invalid_value':
      return oneOf(issue.values)
    default:
      return noneFits
  }
}
z.config({ customError: sentence })

type Issue = z.core.$ZodIssue

/** For a value that fits no option of a union, the issues of the option that it comes closest to; any other issue is returned as it is. */
function likeliest(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union' || issue.message !== noneFits || issue.errors.length === 0) return [issue]
  const deepest = (issues: Issue[]) => Math.max(...issues.map(({ path }) => path.length))
  const isOtherKind = (issues: Issue[]) => issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0)
  const [nearest = []] = issue.errors.toSorted(
    (one, other) => deepest(other) - deepest(one) || Number(isOtherKind(one)) - Number(isOtherKind(other)),
  )
  return nearest.flatMap((inner) => likeliest({ ...inner, path: [...issue.path, ...inner.path] }))
}

/** A failed parse as field errors, in the order in which they were found, each sentence once a field. */
export function fieldErrors(error: z.ZodError): FieldErrors {
  // A caller may name a field `constructor` or `__proto__`, which every plain object already has.
  const errors = new Map<string, Set<string>>()
  for (const issue of error.issues.flatMap(likeliest)) {
    const fields = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path]
    for (const field of fields) {
      const name = field.join('.')
      errors.set(name, (errors.get(name) ?? new Set()).add(issue.message))
    }
  }
  return Object.fromEntries([...errors].map(([name, sentences]) => [name, [...sentences]]))
}
