// Sign-in: the form with the ways in, the consents, and the reason for which the last attempt was refused.
import type { AwayStep, PortalPageProps, SignInStep } from '#portal/design.ts'
import { Icon } from '#portal/icons.tsx'
import type { Refusal, Texts } from '#portal/texts/en.ts'
import { webAddress } from '#portal/web-address.ts'
import { opened_with, refusal_id, WaysIn, waysOf, wrongIn, wrongProps, type Wrong } from './ways.tsx'

interface SignInProps extends Pick<PortalPageProps, 'design' | 'action' | 'hidden'> {
  step: SignInStep | AwayStep
  texts: Texts
  hides_fields: boolean
}

export function SignIn({ design, step, action, hidden = {}, texts, hides_fields }: SignInProps) {
  const { method, typed = {} } = step
  const wrong = wrongIn(step.name === 'away' ? {} : step)
  const ticked = step.name === 'away' ? undefined : step.ticked
  return (
    <form method="post" action={action} id="sign-in">
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Refused refused={step.name === 'sign-in' ? step.refused : undefined} texts={texts} />
      {step.name === 'away' && (
        <div className="notice">
          <Icon of="wifi" />
          <p>
            <strong>{texts.away_title}</strong>{' '}
            {step.network_name === null ? texts.away : texts.away_network(step.network_name)}
          </p>
        </div>
      )}
      <fieldset className="form" disabled={step.name === 'away'}>
        <WaysIn texts={texts} methods={design.auth_method_ids} chosen={method} typed={typed} wrong={wrong} />
        {waysOf(design.auth_method_ids).length > 0 && (
          <>
            <Consents design={design} texts={texts} ticked={ticked} wrong={wrong} />
            {hides_fields && waysOf(design.auth_method_ids).length > 1 ? (
              <ConnectByChoice texts={texts} />
            ) : (
              <button type="submit">{texts.connect}</button>
            )}
          </>
        )}
      </fieldset>
      <Privacy design={design} texts={texts} />
    </form>
  )
}

/**
 * Of two buttons the style sheet shows one. Where it hides the fields of other ways, theirs may still be filled in, and the choice alone
 * counts: the second button empties `opened_with`. The first comes first for keyboards of older browsers, which press it.
 */
const ConnectByChoice = ({ texts }: { texts: Texts }) => (
  <>
    <button type="submit" className="shows-all">
      {texts.connect}
    </button>
    <button type="submit" className="hides-others" name={opened_with} value="">
      {texts.connect}
    </button>
  </>
)

/** Why the last attempt was refused. */
export const Refused = ({ refused, texts }: { refused: Refusal | undefined; texts: Texts }) =>
  refused && (
    <div className="notice refused" role="alert" id={refusal_id}>
      <Icon of="attention" />
      <p>
        <strong>{texts.refused_title}</strong> {texts.refused[refused]}
      </p>
    </div>
  )

type TextProps = Pick<SignInProps, 'design' | 'texts'>

interface ConsentsProps extends TextProps {
  /** What the guest has ticked on this page before. */
  ticked?: readonly string[] | undefined
  wrong?: Wrong
}

const nothingWrong: Wrong = { marked: [], focused: undefined }

/** The terms, which must be agreed to, and separately the optional marketing consent. Neither is ticked but by the guest. */
export function Consents({ design, texts, ticked = [], wrong = nothingWrong }: ConsentsProps) {
  const { terms, terms_version, marketing_text } = design
  return (
    <>
      {terms && (
        <div className="agreed">
          <label className="tick">
            <input
              type="checkbox"
              name="terms"
              value={terms_version}
              required
              defaultChecked={ticked.includes('terms')}
              {...wrongProps(wrong, 'terms')}
            />
            <span>{texts.agree}</span>
          </label>
          <Terms design={design} texts={texts} />
        </div>
      )}
      {marketing_text && (
        <label className="tick">
          <input type="checkbox" name="marketing" value="1" defaultChecked={ticked.includes('marketing')} />
          <span>{marketing_text}</span>
        </label>
      )}
    </>
  )
}

/** In full, as no other page can be opened before the guest is online. */
const Terms = ({ design, texts }: TextProps) => (
  <details className="more">
    <summary>{texts.read_terms}</summary>
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
    <div className="terms" role="region" aria-label={texts.terms} tabIndex={0}>
      <p className="wording">{design.terms}</p>
      <p>{texts.version(design.terms_version)}</p>
    </div>
  </details>
)

function Privacy({ design, texts }: TextProps) {
  const address = webAddress(design.privacy_url)
  if (address === null) return null
  return (
    <p className="privacy">
      <a href={address} target="_blank" rel="noopener noreferrer">
        {texts.privacy}
        <span className="unseen"> ({texts.opens_in_new_window})</span>
      </a>
    </p>
  )
}
