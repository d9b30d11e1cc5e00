// The German sentences of the screens, which the browser loads as one.
import { fixed as english } from '#catalogue/en/fixed.ts'
import { finderOf } from '#catalogue/finder.ts'
import { fixed } from './fixed.ts'

export { desk } from './desk.ts'
export { forms } from './forms.ts'
export { frame } from './frame.ts'
export { limits } from './limits.ts'
export { phone } from './phone.ts'
/** For what the contract fixes. */
export const find = finderOf(english, fixed)
