// Create button: leads to the form of a new record. It is shown to those who may make one.
import type { Endpoint } from '#contract/endpoint.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { useMayCall } from '#web/session/may.ts'

/** @param of the call that makes one; `href` is the address of its form */
export function CreateButton({ of, href, children }: { of: Endpoint; href: string; children: string }) {
  const mayCreate = useMayCall(of)
  return (
    mayCreate && (
      <LinkButton kind="primary" icon="add" href={href}>
        {children}
      </LinkButton>
    )
  )
}
