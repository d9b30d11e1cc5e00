// Proof: the dialog in which the password is given again, above whatever screen or dialog made the call that waits for it.
import { lazy, useState } from 'react'
import { settleProof, useProofAsked } from '#web/kit/call/proof.ts'
import { Asked } from '#web/kit/dialog/confirm.tsx'

// Loaded with the first call that asks.
const ProofDialog = lazy(() => import('./proof-dialog.tsx').then((module) => ({ default: module.ProofDialog })))

/** Rendered once, above all screens. */
export function Proof() {
  const open = useProofAsked()
  const [times, count] = useState({ asked: 0, open })
  if (times.open !== open) count({ asked: times.asked + (open ? 1 : 0), open })
  if (times.asked === 0) return null
  return (
    <Asked key={times.asked} refuse={() => settleProof(false)}>
      <ProofDialog open={open} />
    </Asked>
  )
}
