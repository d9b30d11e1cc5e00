// Errors: the refusals of the API and the sentences that both sides use. For what zod finds wrong see field-errors.ts.

/** The whole answer policy (DECISIONS §3). 401 only means that there is no token, or one that is no longer valid. */
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
  full: {
    status: 507,
    message:
      'The disk is nearly full, so nothing can be added now. What is stored can be read and removed. ' +
      'Please tell whoever runs Foyer for you.',
  },
} as const
/** Forbidden until the password was given again. Apart from the others, since the first list of the web app does without it. */
export const askedAgain = { status: 403, message: 'Please give your password again.' } as const
/** Refuses other content types where a call takes files. */
export const sendMultipart = 'Send multipart/form-data.'
export type RefusalName = keyof typeof refusals

/** `{field: [sentence, …]}`; a field inside a list or an object is named by its path, joined with dots. */
export type FieldErrors = Record<string, string[]>

/** A reference that is absent or out of reach: the same sentence for both, so that it reveals nothing. */
export const selectedInvalid = (field: string) => `The selected ${field.replaceAll('_', ' ')} is invalid.`
/** The same for the rows of a bulk call. */
export const selectedIdsInvalid = 'One or more of the selected ids are invalid.'

/** A field that only the customer's own users may write, changed by a user of a group or property. */
export const reservedForCustomer = 'Only users of the whole company can change this.'
/** The same for a field that the front desk may not write. */
export const reservedForEditors = 'Only editors can change this.'

/** A save that would overwrite a change made by somebody else since the record was read. */
export const changedMeanwhile = (who = 'Somebody else') => `${who} has changed this meanwhile.`
