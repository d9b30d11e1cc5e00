// Phone words: the sentences of the first screen of phones.
import { phone } from '#catalogue/en/phone.ts'
import { translated } from './language.ts'
import { plainSayer } from './plain.ts'

export const sayOnPhone = plainSayer<typeof phone>(() => translated()?.phone ?? phone)
