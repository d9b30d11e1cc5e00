// Guest help offers: a call that would help, ready to be sent, or advice on who may make it.
import type { Endpoint, Input } from '#contract/endpoint.ts'
import type { Fix, HelpSubject } from '#contract/guest-help.ts'
import { helpIn, type SayHelp } from '#catalogue/spoken.ts'
import { may } from '#server/access/policies.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { HolderFacts } from '#server/admission/holders.ts'
import type { GuestRecord } from './guest-record.ts'
import type { PropertyState } from './property-state.ts'

interface Words<E extends Endpoint> {
  label: string
  done: string
  confirm?: string | null
  undo?: Input<E> | null
  /** Who can make the call, shown if the caller may not. */
  who?: string
}

export interface GuestTrouble {
  scope: Scope
  /** In the language of whoever asks. */
  say: SayHelp
  known: GuestRecord
  propertyState: PropertyState | null
  facts: HolderFacts | null
  devices: HelpSubject['devices']
  attempts: HelpSubject['attempts']
}

/** The call if the caller may make it, otherwise who may. */
export function offer<E extends Endpoint>(scope: Scope, endpoint: E, ask: Input<E>, words: Words<E>): Fix {
  const { label, done, confirm = null, undo = null, who = helpIn(scope.language)('fix.editor-property') } = words
  return may(scope, endpoint)
    ? {
        label,
        call: endpoint.path,
        ask: { ...(ask as object) },
        done,
        confirm,
        undo: undo && { ...(undo as object) },
        who: null,
        gateway: null,
      }
    : { ...advice(label, who) }
}

/** A fix that no call can make. */
export const advice = (label: string, who: string, gateway: Fix['gateway'] = null): Fix => ({
  label,
  call: null,
  ask: {},
  done: '',
  confirm: null,
  undo: null,
  who,
  gateway,
})

/** The fixes for one reason, the best first. */
export type FixMaker = (trouble: GuestTrouble) => Fix[] | Promise<Fix[]>
