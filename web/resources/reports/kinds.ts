// Report kinds: one line each. Addresses, navigation, palette and wizard follow from it.
import * as reports from '#contract/reports.ts'
import { billing } from './billing/kind.ts'
import { freeWifi } from './free-wifi/kind.ts'
import type { KindOfReport } from './report-kind.ts'
import { session } from './session/kind.ts'

export type KindWord = (typeof reports.reportKinds)[number]

export const kinds: Readonly<Record<KindWord, KindOfReport>> = { session, free_wifi: freeWifi, billing }

const isKind = (word: unknown): word is KindWord => (reports.reportKinds as readonly unknown[]).includes(word)
/** Of a form or an address: sessions, if it is none. */
export const kindIn = (word: unknown): KindWord => (isKind(word) ? word : 'session')
