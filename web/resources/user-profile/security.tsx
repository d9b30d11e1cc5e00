// Security section of the profile: the password, the second factor, the sessions; and whether the customer requires a second factor.
import { may } from '#web/session/may.ts'
import { useSession } from '#web/session/session.ts'
import { Section } from '#web/ui/page.tsx'
import { Password } from './password.tsx'
import { Required } from './required.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'

export function Security() {
  const { user } = useSession()
  if (!user) return null
  return (
    <div>
      <Section title="Signing in" hint={`You sign in as ${user.email}. You get an e-mail about every change here.`}>
        <Password email={user.email} />
        <SecondFactor />
      </Section>
      <Section
        title="Sessions"
        hint="Where you are signed in. End any session you do not recognise, and change your password."
      >
        <Sessions />
      </Section>
      {may('security', 'write') && (
        <Section title={user.customer.name} hint="For all its people, including those of its groups and properties.">
          <Required />
        </Section>
      )}
    </div>
  )
}
