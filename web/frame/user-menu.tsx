// User menu: who is signed in, and the pages about them. Opens on hover, by click and by keyboard; closes
// when the pointer leaves. In the group and property contexts only the name and Log Out show.
import { go } from '#web/kit/navigation/go.ts'
import { openSections } from '#web/may-open.ts'
import { hasScreen, to, type ProfileSection } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { session, useSession } from '#web/session/session.ts'
import type { IconName } from '#web/ui/icons.tsx'
import { Menu, type MenuItem } from '#web/ui/menu.tsx'
import { say, type FrameWord } from '#web/words/frame.ts'
import { initials } from './initials.ts'
import styles from './header.module.css'

const sections: { section: ProfileSection; label: FrameWord; icon: IconName }[] = [
  { section: 'profile', label: 'menu.profile', icon: 'user' },
  { section: 'team', label: 'menu.teams', icon: 'team' },
  { section: 'activity', label: 'menu.activity', icon: 'activity' },
  { section: 'integrations', label: 'menu.integrations', icon: 'integrations' },
  { section: 'api_keys', label: 'menu.api-keys', icon: 'apiKeys' },
  { section: 'footer_branding', label: 'menu.footer-branding', icon: 'brandings' },
]

export function UserMenu() {
  const { user } = useSession()
  if (!user) return null
  const context = appContext()
  const pages =
    context === 'customer' && hasScreen(context, 'user-profile')
      ? sections.filter(({ section }) => openSections().includes(section))
      : []
  const items: MenuItem[] = [
    ...pages.map(({ section, label, icon }) => {
      const href = to.userProfile(user.id, section)
      return { label: say(label), icon, href, onPick: () => go(href) }
    }),
    { label: say('menu.log-out'), icon: 'logOut', onPick: () => session.end('left') },
  ]
  return (
    <Menu
      onHover
      side="start"
      label={say('menu.user', { name: user.name, owner: user.owner_name })}
      className={styles.user}
      heading={
        <div className={styles.who}>
          <strong>{user.name}</strong>
          <span>{user.email}</span>
        </div>
      }
      items={items}
      button={
        <>
          <span className={styles.avatar} data-initials={initials(user.name)} aria-hidden />
          <span className={styles.whoShort}>
            <strong>{user.name}</strong> <span>{user.owner_name}</span>
          </span>
        </>
      }
    />
  )
}
