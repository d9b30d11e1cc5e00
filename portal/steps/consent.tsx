// Consent: a guest who is online withdraws what they agreed to be sent. They are asked once, and told when it is done.
import type { ConsentStep, PortalPageProps } from '#portal/design.ts'
import { Icon } from '#portal/icons.tsx'
import type { Texts } from '#portal/texts/en.ts'

const query = '&withdraw=1'
/** The address of the status page at which the guest is asked. */
export const asksToWithdraw = (address: string) => address + query
const withoutQuestion = (address: string) => address.replace(query, '')

interface ConsentProps extends Pick<PortalPageProps, 'action'> {
  step: ConsentStep
  /** The address of the same page. */
  refresh: string | undefined
  texts: Texts
}

export function Consent({ step: { wordings }, action, refresh, texts: { consent } }: ConsentProps) {
  const back = refresh && (
    <p>
      <a href={withoutQuestion(refresh)}>{consent.back}</a>
    </p>
  )
  if (wordings.length === 0)
    return (
      <div className="outcome" role="status">
        <Icon of="done" />
        <h2>{consent.done_title}</h2>
        <p>{consent.done}</p>
        {back}
      </div>
    )
  return (
    <div className="outcome">
      <Icon of="attention" />
      <h2>{consent.title}</h2>
      <p>{consent.given}</p>
      {wordings.map((wording) => (
        <blockquote key={wording}>{wording}</blockquote>
      ))}
      <p>{consent.asked}</p>
      <form method="post" action={action}>
        <button type="submit" name="withdraw" value="1">
          {consent.withdraw}
        </button>
      </form>
      {back}
    </div>
  )
}
