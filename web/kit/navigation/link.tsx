// Links: to addresses of paths.ts. Opening in a new tab, middle clicks and copying work as with any link.
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, type MouseEvent, type ReactNode, type Ref } from 'react'
import { Button, type ButtonProps } from '#web/ui/button.tsx'
import { go } from './go.ts'
import { prefetchAllowed, whenIdle } from './prefetch.ts'
import { parseSearch } from './search-params.ts'

export interface LinkProps {
  href: string
  children: ReactNode
  className?: string | undefined
  tabIndex?: number
  /** `page` marks the menu entry of the current screen. */
  current?: 'page' | undefined
  /** For screen readers, instead of the content. */
  label?: string
  onClick?: (event: MouseEvent) => void
  ref?: Ref<HTMLAnchorElement>
}

const opensElsewhere = (event: MouseEvent) =>
  event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey

/** Paths of prefetched screens; all rows of a list lead to the same one. */
const fetched = new Set<string>()

/** Returns a function that prefetches a screen's code, once per path. */
function usePrefetch(href: string) {
  const router = useRouter()
  return () => {
    const [to = '', query = ''] = href.split('?')
    if (fetched.has(to) || !prefetchAllowed()) return
    fetched.add(to)
    router.preloadRoute({ to, search: parseSearch(query) } as never).catch(() => fetched.delete(to))
  }
}

/** Its screen is prefetched when the pointer or the focus reaches it. */
export function Link({ href, children, label, current, onClick, ...rest }: LinkProps) {
  const prefetch = usePrefetch(href)
  return (
    <a
      {...rest}
      href={href}
      aria-label={label}
      aria-current={current}
      onPointerEnter={prefetch}
      onFocus={prefetch}
      onClick={(event) => {
        onClick?.(event)
        if (event.defaultPrevented || opensElsewhere(event)) return
        event.preventDefault()
        go(href)
      }}
    >
      {children}
    </a>
  )
}

/** A link that is likely to be followed, such as a menu's: prefetched as soon as it is visible and the browser is idle. */
export function LikelyLink(props: LinkProps) {
  const prefetch = usePrefetch(props.href)
  const ref = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    const link = ref.current
    if (!link || !prefetchAllowed()) return
    let watcher: IntersectionObserver | undefined
    // Observing also waits until then, as the first screen has a menu full of such links.
    const cancel = whenIdle(() => {
      watcher = new IntersectionObserver((entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return
        watcher?.disconnect()
        prefetch()
      })
      watcher.observe(link)
    })
    return () => {
      cancel()
      watcher?.disconnect()
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `prefetch` changes with the address alone
  }, [props.href])
  return <Link {...props} ref={ref} />
}

/** A link that looks like a button. */
export const LinkButton = ({
  href,
  label,
  children,
  ...rest
}: Pick<LinkProps, 'href' | 'label'> & Pick<ButtonProps, 'children' | 'kind' | 'icon' | 'wide'>) => (
  <Button {...rest} as={(props) => <Link {...props} href={href} {...(label ? { label } : {})} />}>
    {children}
  </Button>
)
