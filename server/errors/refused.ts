// Refused: a request that is answered with one of the API's refusals instead of its result.
import { askedAgain as again, refusals, type FieldErrors, type RefusalName } from '#contract/errors.ts'

export class Refused extends Error {
  override name = 'Refused'
  readonly status: number
  readonly errors: FieldErrors | undefined
  readonly retry_after_s: number | undefined
  readonly asks: 'password' | undefined

  constructor(
    refusal: RefusalName,
    more: { message?: string; errors?: FieldErrors; retry_after_s?: number; asks?: 'password'; cause?: unknown } = {},
  ) {
    super(more.message ?? refusals[refusal].message, { cause: more.cause })
    this.status = refusals[refusal].status
    this.errors = more.errors
    this.retry_after_s = more.retry_after_s
    this.asks = more.asks
  }
}

export const notFound = () => new Refused('notFound')
export const forbidden = () => new Refused('forbidden')
export const askedAgain = () => new Refused('forbidden', { message: again.message, asks: 'password' })
export const invalid = (errors: FieldErrors) => new Refused('invalid', { errors })
/** `message` says what there was too much of, where it is more than attempts. */
export const tooMany = (retry_after_s: number, message?: string) =>
  new Refused('tooMany', { retry_after_s, ...(message !== undefined && { message }) })
/** Not a guess at a secret: more was asked for than one may have at work at once, or in a minute. */
export const tooMuch = (retry_after_s: number) =>
  tooMany(retry_after_s, 'Too many requests were sent at once. Please wait a moment and try again.')
/** `message` names what still needs the record, or what else stands in the way. */
export const clash = (message: string, errors?: FieldErrors) =>
  new Refused('clash', { message, ...(errors && { errors }) })
