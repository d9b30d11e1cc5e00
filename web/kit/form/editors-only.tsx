// Editors only: what stands in place of a form that a viewer has opened by its address.
import type { ReactNode } from 'react'
import { useEditor } from '#web/session/session.ts'
import { EmptyState } from '#web/ui/state.tsx'
import { LinkButton } from '#web/kit/navigation/link.tsx'

export const EditorsOnly = ({ back, children }: { back: string; children: ReactNode }) =>
  useEditor() ? (
    children
  ) : (
    <EmptyState icon="info" title="Only editors can do this" action={<LinkButton href={back}>Go back</LinkButton>}>
      You can look at everything here. To change something, ask an editor to change your permission.
    </EmptyState>
  )
