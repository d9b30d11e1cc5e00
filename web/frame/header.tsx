// Header: logo, menu, theme and user. A column on the left on wide screens, a bar at the top on narrow ones.
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { LikelyLink, Link } from '#web/kit/navigation/link.tsx'
import { menuEntryOf, menuOf } from '#web/may-open.ts'
import { to, withModal } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { useSession } from '#web/session/session.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Icon, isIcon } from '#web/ui/icons.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { say } from '#web/words/frame.ts'
import { commandKey } from './palette/keys.ts'
import { LanguageSwitch } from './language-switch.tsx'
import { openPalette } from './shortcuts.tsx'
import { ThemeSwitch } from './theme-switch.tsx'
import { UserMenu } from './user-menu.tsx'
import styles from './header.module.css'

export function Header() {
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  const [open, setOpen] = useState(false)
  useEffect(() => setOpen(false), [pathname])
  useEffect(() => {
    if (!open) return
    const close = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false)
    window.addEventListener('keydown', close)
    return () => window.removeEventListener('keydown', close)
  }, [open])
  // Redrawn when the user's rights change.
  useSession()
  const context = appContext()
  const at = menuEntryOf(context, pathname)
  return (
    <header className={styles.header}>
      <span className={styles.burger}>
        <IconButton
          icon={open ? 'close' : 'menu'}
          label={say(open ? 'menu.close' : 'menu.open')}
          expanded={open}
          onClick={() => setOpen(!open)}
        />
      </span>
      <Link href={to.dashboard()} className={styles.home} label={say('menu.home')}>
        <Logo />
      </Link>
      <div className={styles.tools}>
        <FindEverything />
        <DeskTool />
      </div>
      <nav className={styles.nav} aria-label={say('menu.main')} data-open={open}>
        <ul>
          {menuOf(context).map(({ title, screen }) => {
            const address = `/${context}/${screen}`
            return (
              <li key={screen}>
                <LikelyLink href={address} className={styles.entry} current={at === screen ? 'page' : undefined}>
                  <Icon name={isIcon(screen) ? screen : 'info'} />
                  {title}
                </LikelyLink>
              </li>
            )
          })}
        </ul>
      </nav>
      {open && <div className={styles.ground} onClick={() => setOpen(false)} aria-hidden />}
      <div className={styles.foot}>
        <UserMenu />
        <LanguageSwitch />
        <ThemeSwitch />
      </div>
    </header>
  )
}

/** Opens the palette, and shows its shortcut. */
const FindEverything = () => (
  <button
    type="button"
    className={styles.find}
    aria-label={`${say('menu.find')} ${commandKey()} K`}
    onClick={openPalette}
  >
    <Icon name="search" size={16} />
    <span>{say('menu.find')}</span>
    <kbd>{commandKey()} K</kbd>
  </button>
)

/** What the front desk needs most, one click away on every screen. */
function DeskTool() {
  const href = useRouterState({ select: (state) => state.location.href })
  return (
    <Link href={withModal(href, 'test-voucher', {})} className={styles.desk} label={say('menu.test-voucher')}>
      <Icon name="vouchers" size={16} />
      <span>{say('menu.test-voucher')}</span>
    </Link>
  )
}
