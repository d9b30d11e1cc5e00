// Kinds: where the connections of each kind stand, and by what one is known. A further kind is a line here.
import type { Kind } from './provider.ts'

/** The columns that say what a connection is to; the last is what a person chooses. */
type Known = 'tenant_id' | 'audience_id'

export const connectionKinds = {
  accounting: { table: 'accounting_integrations', known_by: ['tenant_id'], learnt: ['organisations', 'scopes'] },
  marketing: { table: 'marketing_integrations', known_by: ['tenant_id', 'audience_id'], learnt: ['audiences'] },
} as const satisfies Record<
  Kind,
  {
    table: `${string}_integrations`
    known_by: readonly [...Known[], Known]
    /** What a consent covers: it goes along when another connection goes on with it. */
    learnt: readonly string[]
  }
>

export const tableOf = ({ kind }: { kind: Kind }) => connectionKinds[kind].table
export const knownBy = (kind: Kind): readonly Known[] => connectionKinds[kind].known_by
