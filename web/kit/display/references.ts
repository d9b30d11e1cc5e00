// References: what may be chosen where a field points at it, as plain data: of the contract only its facts are loaded here.
import * as contract from '#contract/references.ts'
import type { RefTarget } from '#contract/ref-target.ts'

export const references = contract.references
export type Chosen = contract.Chosen
export type Reference = contract.Reference

/** Undefined for what is never chosen by its name, such as a session. */
export const referenceOf = (target: RefTarget | undefined): Reference | undefined =>
  target && (references as Partial<Record<RefTarget, Reference>>)[target]
