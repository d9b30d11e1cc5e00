// Frame words: the sentences around every screen, and those of the parts that all screens are made of.
import { frame } from '#catalogue/en/frame.ts'
import type { PlainKey } from '#catalogue/sentences.ts'
import { translated } from './language.ts'
import { plainSayer } from './plain.ts'

export type FrameWord = PlainKey<typeof frame>
export const say = plainSayer<typeof frame>(() => translated()?.frame ?? frame)
