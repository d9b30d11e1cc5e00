// Password rule: the requirements for a new password, as shown at its field.
import { constants } from '#contract/constants.ts'

export const passwordRule = `At least ${constants.password_length_min} characters. A few words in a row are easy to remember.`
