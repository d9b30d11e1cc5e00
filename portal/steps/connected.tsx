// Connected: what guests see while they are online (what is left, where to go on, signing out), and afterwards.
import type { ConnectedStep, ConnectingStep, PortalPageProps, SignedOutStep } from '#portal/design.ts'
import type { Language } from '#portal/languages.ts'
import { left } from '#portal/remaining.ts'
import { Icon } from '#portal/icons.tsx'
import type { Texts } from '#portal/texts/en.ts'
import { webAddress } from '#portal/web-address.ts'
import { asksToWithdraw } from './consent.tsx'

interface ConnectedProps extends Pick<PortalPageProps, 'design' | 'action' | 'hidden'> {
  step: ConnectedStep
  /** The address of the same page, to update what is left. */
  refresh: string | undefined
  language: Language
  texts: Texts
}

export function Connected({ design, step, action, hidden = {}, refresh, language, texts }: ConnectedProps) {
  const onward = webAddress(design.redirect_url)
  return (
    <div className="outcome">
      <Icon of="done" />
      <h2>{step.name === 'online' ? texts.online_title : texts.status_title}</h2>
      {step.name === 'online' && <p>{texts.online}</p>}
      <Left step={step} language={language} texts={texts} />
      {refresh && step.seconds_left !== undefined && (
        <p>
          <a href={refresh}>{texts.refresh}</a>
        </p>
      )}
      {onward && (
        <a className="button" href={onward}>
          {texts.go_on}
        </a>
      )}
      {!step.no_sign_out && (
        <form method="post" action={action}>
          {Object.entries(hidden).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <button className="plain" type="submit" name="sign_out" value="1">
            {texts.sign_out}
          </button>
        </form>
      )}
      {refresh && step.has_consented && (
        <p>
          <a href={asksToWithdraw(refresh)}>{texts.consent.link}</a>
        </p>
      )}
    </div>
  )
}

function Left({
  step: { seconds_left, bytes_left },
  language,
  texts,
}: Pick<ConnectedProps, 'step' | 'language' | 'texts'>) {
  if (seconds_left === undefined || bytes_left === undefined) return null
  return (
    <dl>
      <div>
        <dt>{texts.time_left}</dt>
        <dd>{seconds_left === null ? texts.no_limit : left.time(seconds_left, language)}</dd>
      </div>
      <div>
        <dt>{texts.data_left}</dt>
        <dd>{bytes_left === null ? texts.no_limit : left.data(bytes_left, language)}</dd>
      </div>
    </dl>
  )
}

interface ConnectingProps extends Pick<ConnectedProps, 'refresh' | 'texts'> {
  step: ConnectingStep
}
/** It opens again by itself; the link is for browsers that do not. */
export const Connecting = ({ step: { is_delayed }, refresh, texts }: ConnectingProps) => (
  <div className="outcome" role="status">
    <Icon of={is_delayed ? 'attention' : 'wifi'} />
    <h2>{is_delayed ? texts.delayed_title : texts.connecting_title}</h2>
    <p>{is_delayed ? texts.delayed : texts.connecting}</p>
    {refresh && (
      <p>
        <a href={refresh}>{texts.refresh}</a>
      </p>
    )}
  </div>
)

export const Unregistered = ({ texts }: { texts: Texts }) => (
  <div className="outcome">
    <Icon of="attention" />
    <h2>{texts.unregistered_title}</h2>
    <p>{texts.unregistered}</p>
  </div>
)

/** Submitted automatically if scripts are enabled. */
export function HandOver({ action, hidden = {}, texts }: Pick<ConnectedProps, 'action' | 'hidden' | 'texts'>) {
  return (
    <div className="outcome">
      <Icon of="done" />
      <h2>{texts.hand_over_title}</h2>
      <form method="post" action={action} id="hand-over">
        {Object.entries(hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <button type="submit">{texts.go_on}</button>
      </form>
    </div>
  )
}

interface SignedOutProps extends Pick<ConnectedProps, 'action' | 'refresh' | 'texts'> {
  step: SignedOutStep
}
export function SignedOut({ step: { reason, under_way }, action, refresh, texts }: SignedOutProps) {
  if (under_way)
    return (
      <div className="outcome">
        <Icon of="wifi" />
        <h2>{texts.signing_out_title}</h2>
        <p>{texts.signing_out}</p>
        {refresh && (
          <a className="button" href={refresh}>
            {texts.refresh}
          </a>
        )}
      </div>
    )
  return (
    <div className="outcome">
      <Icon of="wifi" />
      <h2>{reason === undefined ? texts.signed_out_title : texts.ended_title}</h2>
      <p>{reason === undefined ? texts.signed_out : texts.refused[reason]}</p>
      <a className="button" href={action}>
        {texts.sign_in_again}
      </a>
    </div>
  )
}
