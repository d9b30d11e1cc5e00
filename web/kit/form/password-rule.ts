// Password rule: what a new password must be like, said where one is chosen.
import { constants } from '#contract/constants.ts'

export const passwordRule = `At least ${constants.password_length_min} characters. A few words in a row are easy to remember.`
