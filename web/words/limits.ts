// Limit words: the sentences about limits that gateways do not keep. Lists ask before they put guests off, so nothing is counted in them.
import { limits } from '#catalogue/en/limits.ts'
import { translated } from './language.ts'
import { plainSayer } from './plain.ts'

export const say = plainSayer<typeof limits>(() => translated()?.limits ?? limits)
