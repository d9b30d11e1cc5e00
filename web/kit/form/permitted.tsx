// Permitted: shows a screen only to users who may make its call. Others who open it by its address see a notice with a way back,
// instead of a form that would be refused.
import type { ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { useMayCall } from '#web/session/may.ts'
import type { IconName } from '#web/ui/icons.tsx'
import { EmptyState } from '#web/ui/state.tsx'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { say } from '#web/words/frame.ts'

interface NotPermittedProps {
  /** The address of the "Go back" button. Dialogs have their own button and leave it out. */
  back?: string
  icon?: IconName
  heading?: 'h1' | 'h2'
}

export const NotPermitted = ({ back, icon = 'info', heading = 'h2' }: NotPermittedProps) => (
  <EmptyState
    icon={icon}
    heading={heading}
    title={say('not-permitted')}
    action={back !== undefined && <LinkButton href={back}>{say('go-back')}</LinkButton>}
  >
    {say('not-permitted-ask')}
  </EmptyState>
)

interface PermittedProps extends NotPermittedProps {
  /** The call that the screen is for. */
  to: Endpoint
  children: ReactNode
}

export const Permitted = ({ to, children, ...rest }: PermittedProps) =>
  useMayCall(to) ? children : <NotPermitted {...rest} />
