// Mobile layout: what phones open: the product's logo, a menu that starts on the dashboard, the desk's tools, and a link to
// the desktop site.
import type { ReactNode } from 'react'
import { search } from '#contract/guest-help.ts'
import * as properties from '#contract/properties.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as batches from '#contract/voucher-batches.ts'
import { go } from '#web/kit/navigation/go.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { menuOf } from '#web/may-open.ts'
import { hasScreen, to, withModal } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { useIsFrontDesk, useMayCall } from '#web/session/may.ts'
import { session, useOwnProperty, useSession } from '#web/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Icon, isIcon, type IconName } from '#web/ui/icons.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { say } from '#web/words/frame.ts'
import { sayOnPhone } from '#web/words/phone.ts'
import { LinesAbove } from './lines-above.tsx'
import { ModalHost } from './modal-host.tsx'
import { LanguageSwitch } from './language-switch.tsx'
import { setWantsDesktop } from './phone.ts'
import { useReady } from './default-layout.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { Splash } from './splash.tsx'
import { Troubles } from './troubles.tsx'
import styles from './mobile-layout.module.css'

/** The tools of the front desk whose screens exist in this context. */
const deskTools = (
  mayMakeVouchers: boolean,
  knowsGuests: boolean,
): { title: string; icon: IconName; href: string }[] => [
  { title: say('menu.test-voucher'), icon: 'vouchers', href: withModal(to.mobile(), 'test-voucher', {}) },
  knowsGuests
    ? { title: sayOnPhone('find-guest'), icon: 'findGuest', href: to.guestHelp() }
    : { title: sayOnPhone('find-account'), icon: 'findGuest', href: to.accounts() },
  { title: sayOnPhone('find-device'), icon: 'devices', href: to.devices() },
  ...(mayMakeVouchers ? [{ title: sayOnPhone('new-vouchers'), icon: 'add' as const, href: to.newVouchers() }] : []),
]

/** What is done for a guest in front of one, at the thumb. A front desk has its day on this page already. */
function DeskBar() {
  const property_id = useOwnProperty()
  const mayCheckIn = useMayCall(roomGuests.create)
  const mayMakeVouchers = useMayCall(batches.create)
  const isDesk = useIsFrontDesk()
  if (!mayCheckIn) return null
  const tools: { title: string; icon: IconName; href: string }[] = [
    { title: sayOnPhone('find'), icon: 'search', href: to.guestHelp() },
    ...(mayMakeVouchers
      ? [{ title: sayOnPhone('code'), icon: 'vouchers' as const, href: withModal(to.mobile(), 'one-voucher', {}) }]
      : []),
    { title: sayOnPhone('check-in'), icon: 'checkIn', href: to.checkIn(property_id) },
    ...(isDesk ? [] : [{ title: say('menu.today'), icon: 'today' as const, href: to.today() }]),
  ]
  return (
    <nav aria-label={sayOnPhone('desk')} className={styles.bar}>
      {tools.map(({ title, icon, href }) => (
        <Link key={title} href={href} className={styles.tool}>
          <Icon name={icon} />
          {title}
        </Link>
      ))}
    </nav>
  )
}

/** `children`: what the front desk needs first. */
export function MobileLayout({ children }: { children: ReactNode }) {
  const ready = useReady()
  const { user } = useSession()
  const mayMakeVouchers = useMayCall(batches.create)
  const knowsGuests = useMayCall(search)
  const mayReadProperties = useMayCall(properties.list)
  if (!ready || !user) return <Splash />
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <Logo />
      </header>
      <main className={styles.main}>
        <h1>{user.owner_name}</h1>
        <LinesAbove user={user} />
        {mayReadProperties && <Troubles />}
        {children}
        <section aria-label={sayOnPhone('desk-tools')}>
          <ul className={styles.menu}>
            {deskTools(mayMakeVouchers, knowsGuests).map(({ title, icon, href }) => (
              <li key={title}>
                <Link href={href} className={styles.entry}>
                  <Icon name={icon} />
                  <span>{title}</span>
                  <Icon name="forward" size={16} />
                </Link>
              </li>
            ))}
          </ul>
        </section>
        <nav aria-label={say('menu.main')}>
          <ul className={styles.menu}>
            {menuOf(appContext()).map(({ title, screen }) => (
              <li key={screen}>
                <Link href={`/${appContext()}/${screen}`} className={styles.entry}>
                  <Icon name={isIcon(screen) ? screen : 'info'} />
                  <span>{title}</span>
                  <Icon name="forward" size={16} />
                </Link>
              </li>
            ))}
            {hasScreen(appContext(), 'user-profile') && (
              <li>
                <Link href={to.userProfile(user.id, 'profile')} className={styles.entry}>
                  <Icon name="user" />
                  <span>{say('menu.profile')}</span>
                  <Icon name="forward" size={16} />
                </Link>
              </li>
            )}
          </ul>
        </nav>
        <div className={styles.actions}>
          <LanguageSwitch />
          <Button
            kind="plain"
            wide
            onClick={() => {
              setWantsDesktop(true)
              go(to.dashboard())
            }}
          >
            {sayOnPhone('desktop-site')}
          </Button>
          <Button kind="quiet" wide icon="logOut" onClick={() => session.end('left')}>
            {say('menu.log-out')}
          </Button>
        </div>
      </main>
      <footer className={styles.footer}>{user.email}</footer>
      <DeskBar />
      <ModalHost />
      <Shortcuts />
    </div>
  )
}
