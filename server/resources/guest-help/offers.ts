// Guest help offers: a call that would help, ready to be sent, or who may make it.
import type { Endpoint, Input } from '#contract/endpoint.ts'
import type { Fix, HelpSubject } from '#contract/guest-help.ts'
import { may } from '#server/access/policies.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { HolderFacts } from '#server/admission/holders.ts'
import type { Known } from './known.ts'
import type { Place } from './others.ts'

interface Words<E extends Endpoint> {
  label: string
  done: string
  confirm?: string | null
  undo?: Input<E> | null
  /** Where the caller may not; else the call's own words. */
  who?: string
}

export interface Trouble {
  scope: Scope
  known: Known
  place: Place | null
  facts: HolderFacts | null
  devices: HelpSubject['devices']
  attempts: HelpSubject['attempts']
}

export const editorsOf = (whom: string) => `An editor of the ${whom} can do that.`

/** A call that the caller may make, or who may. */
export function offer<E extends Endpoint>(scope: Scope, endpoint: E, ask: Input<E>, words: Words<E>): Fix {
  const { label, done, confirm = null, undo = null, who = editorsOf('property') } = words
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

/** What no call does. */
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

/** What would mend one reason, the best first. */
export type Mend = (trouble: Trouble) => Fix[] | Promise<Fix[]>
