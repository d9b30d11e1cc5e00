// Links: to an address of paths.ts. What is in sight is fetched ahead while the browser rests.
import { Link as RouterLink, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, type MouseEventHandler, type ReactNode, type Ref } from 'react'
import { Button, type ButtonProps } from '#web/ui/button.tsx'
import { prefetchAllowed, whenIdle } from './prefetch.ts'
import { parseSearch } from './search-params.ts'

export interface LinkProps {
  href: string
  children: ReactNode
  className?: string | undefined
  tabIndex?: number
  /** `page` marks the entry of a menu that one is on. */
  current?: 'page' | undefined
  label?: string
  onClick?: MouseEventHandler
  ref?: Ref<HTMLAnchorElement>
}

const parts = (href: string) => {
  const [to = '', query = ''] = href.split('?')
  return { to, search: parseSearch(query) }
}

export function Link({ href, children, label, current, ref, ...rest }: LinkProps) {
  const router = useRouter()
  const own = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    const link = own.current
    if (!link || !prefetchAllowed()) return
    let cancel = () => {}
    const watcher = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return
      watcher.disconnect()
      cancel = whenIdle(() => void router.preloadRoute(parts(href) as never).catch(() => undefined))
    })
    watcher.observe(link)
    return () => {
      watcher.disconnect()
      cancel()
    }
  }, [href, router])
  return (
    <RouterLink
      {...rest}
      ref={(element: HTMLAnchorElement | null) => {
        own.current = element
        if (typeof ref === 'function') ref(element)
        else if (ref) ref.current = element
      }}
      {...(parts(href) as { to: string; search: never })}
      aria-label={label}
      aria-current={current}
      // The router's own idea of "active" would mark every address that this one begins with.
      activeProps={{ 'aria-current': current }}
    >
      {children}
    </RouterLink>
  )
}

/** A link in a button's clothes. */
export const LinkButton = ({ href, children, ...rest }: { href: string } & Pick<ButtonProps, 'children' | 'kind' | 'icon' | 'wide'>) => (
  <Button {...rest} renderRoot={(props) => <Link {...(props as unknown as LinkProps)} href={href} />}>
    {children}
  </Button>
)
