// Form words: the sentences of forms, and of what has just been made to be handed over.
import { forms } from '#catalogue/en/forms.ts'
import { translated } from './language.ts'
import { plainSayer } from './plain.ts'

export const say = plainSayer<typeof forms>(() => translated()?.forms ?? forms)
