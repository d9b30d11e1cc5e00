// Sign-in: the one form of the page, with the ways in, what a guest agrees to, and why the last try was refused.
import type { AwayStep, PortalPageProps, SignInStep } from '#portal/design.ts'
import { Sign } from '#portal/signs.tsx'
import type { Refusal, Texts } from '#portal/texts/en.ts'
import { webAddress } from '#portal/web-address.ts'
import { WaysIn, waysOf } from './ways.tsx'

interface SignInProps extends Pick<PortalPageProps, 'design' | 'action' | 'hidden'> {
  step: SignInStep | AwayStep
  texts: Texts
}

export function SignIn({ design, step, action, hidden = {}, texts }: SignInProps) {
  const { method, typed = {} } = step
  return (
    <form method="post" action={action} id="sign-in">
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Refused refused={step.name === 'sign-in' ? step.refused : undefined} texts={texts} />
      {step.name === 'away' && (
        <div className="notice">
          <Sign of="wifi" />
          <p>
            <strong>{texts.away_title}</strong>{' '}
            {step.network_name === null ? texts.away : texts.away_network(step.network_name)}
          </p>
        </div>
      )}
      <fieldset className="form" disabled={step.name === 'away'}>
        <WaysIn texts={texts} methods={design.auth_method_ids} chosen={method} typed={typed} />
        {waysOf(design.auth_method_ids).length > 0 && (
          <>
            <Consents design={design} texts={texts} />
            <button type="submit">{texts.connect}</button>
          </>
        )}
      </fieldset>
      <Privacy design={design} texts={texts} />
    </form>
  )
}

/** Why the last try was refused. */
export const Refused = ({ refused, texts }: { refused: Refusal | undefined; texts: Texts }) =>
  refused && (
    <div className="notice refused" role="alert">
      <Sign of="attention" />
      <p>
        <strong>{texts.refused_title}</strong> {texts.refused[refused]}
      </p>
    </div>
  )

type Says = Pick<SignInProps, 'design' | 'texts'>

/** What must be agreed to, and apart from it what may be: that one is never ticked beforehand. */
export function Consents({ design, texts }: Says) {
  const { terms, terms_version, marketing_text } = design
  return (
    <>
      {terms && (
        <div className="agreed">
          <label className="tick">
            <input type="checkbox" name="terms" value={terms_version} required />
            <span>{texts.agree}</span>
          </label>
          <Terms design={design} texts={texts} />
        </div>
      )}
      {marketing_text && (
        <label className="tick">
          <input type="checkbox" name="marketing" value="1" />
          <span>{marketing_text}</span>
        </label>
      )}
    </>
  )
}

/** Before anybody is online nothing else can be opened, so they stand here in full. */
const Terms = ({ design, texts }: Says) => (
  <details className="more">
    <summary>{texts.read_terms}</summary>
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard */}
    <div className="terms" role="region" aria-label={texts.terms} tabIndex={0}>
      <p className="wording">{design.terms}</p>
      <p>{texts.version(design.terms_version)}</p>
    </div>
  </details>
)

function Privacy({ design, texts }: Says) {
  const address = webAddress(design.privacy_url)
  if (address === null) return null
  return (
    <p className="privacy">
      <a href={address} target="_blank" rel="noopener noreferrer">
        {texts.privacy}
        <span className="unseen"> ({texts.opens_anew})</span>
      </a>
    </p>
  )
}
