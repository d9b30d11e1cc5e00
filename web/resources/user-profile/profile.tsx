// User profile: the pages of the signed-in user, one for each value of `context` in the address. An error that a provider
// reports (OAuth) is shown above the pages under `integrations`.
import { messages } from '#contract/messages.ts'
import { ScreenNotFound } from '#web/frame/error-pages.tsx'
import { NotPermitted } from '#web/kit/form/permitted.tsx'
import { go } from '#web/kit/navigation/go.ts'
import { InTab } from '#web/kit/list/in-tab.ts'
import { idIn, one } from '#web/kit/navigation/search-params.ts'
import { useScreenSearch } from '#web/kit/navigation/screen-search.ts'
import { openSections } from '#web/may-open.ts'
import { to, type ProfileSection } from '#web/paths.ts'
import { useSession } from '#web/session/session.ts'
import { PageHeader } from '#web/ui/page.tsx'
import { Notice } from '#web/ui/state.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { ApiKeysList } from '#web/resources/api-keys/list.tsx'
import { Integrations } from '#web/resources/integrations/list.tsx'
import { FooterBranding } from '#web/resources/portal-footers/list.tsx'
import { TeamsList } from '#web/resources/teams/list.tsx'
import { ActivityLog } from './activity.tsx'
import { Company } from './company.tsx'
import { Colleague } from './colleague.tsx'
import { Person } from './person.tsx'
import { Security } from './security.tsx'
import styles from './user-profile.module.css'

interface Page {
  /** What it is about. */
  group: 'Me' | 'Company' | 'Connections'
  title: string
  body: () => React.ReactNode
}
/** In the order of the tabs; the user menu keeps the specification's. */
const screens: Record<ProfileSection, Page> = {
  profile: { group: 'Me', title: messages.userMenu.profile, body: () => <Person /> },
  security: { group: 'Me', title: messages.userMenu.security, body: () => <Security /> },
  company: { group: 'Company', title: messages.userMenu.company, body: () => <Company /> },
  team: { group: 'Company', title: messages.userMenu.teams, body: () => <TeamsList /> },
  activity: { group: 'Company', title: messages.userMenu.activity, body: () => <ActivityLog /> },
  footer_branding: { group: 'Company', title: messages.userMenu.footerBranding, body: () => <FooterBranding /> },
  integrations: { group: 'Connections', title: messages.userMenu.integrations, body: () => <Integrations /> },
  api_keys: { group: 'Connections', title: messages.userMenu.apiKeys, body: () => <ApiKeysList /> },
}
const exists = (section: string): section is keyof typeof screens => Object.hasOwn(screens, section)
const inOrder = Object.keys(screens).filter(exists)

export function UserProfile() {
  const search = useScreenSearch()
  const { user } = useSession()
  const asked = one(search['context']) ?? 'profile'
  const refusal = asked === 'integrations' ? one(search['error_message']) : undefined
  const asked_user_id = search['user_id'] === undefined ? user?.id : idIn(search['user_id'])
  if (asked_user_id === undefined) return <ScreenNotFound />
  if (user && asked_user_id !== user.id) return <Colleague id={asked_user_id} />
  if (!user || (!exists(asked) && refusal === undefined)) return <ScreenNotFound />
  const open = openSections()
  if (exists(asked) && !open.includes(asked))
    return <NotPermitted heading="h1" back={to.userProfile(user.id, 'profile')} />
  return (
    <>
      <PageHeader title={user.name} />
      {refusal !== undefined && (
        <div className={styles.refusal}>
          <Notice tone="error">
            The integration was not connected.{' '}
            {refusal === 'access_denied'
              ? 'Access was not allowed there.'
              : `The other side answered: “${refusal.slice(0, 500)}”`}
          </Notice>
        </div>
      )}
      <Tabs
        label="Your pages"
        open={exists(asked) ? asked : 'profile'}
        onOpen={(section) => go(to.userProfile(user.id, section as ProfileSection))}
        tabs={inOrder
          .filter((name) => open.includes(name))
          .map((name) => ({ name, ...screens[name], body: () => <InTab value>{screens[name].body()}</InTab> }))}
      />
      <p className={styles.version}>Foyer {import.meta.env['FOYER_VERSION']}</p>
    </>
  )
}
