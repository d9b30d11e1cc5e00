// Code: the form for a code that was sent by message, and the page that its link opens.
import type { CodeStep, ConfirmStep, PortalPageProps } from '#portal/design.ts'
import type { Language } from '#portal/languages.ts'
import { left } from '#portal/remaining.ts'
import { Icon } from '#portal/icons.tsx'
import type { Refusal, Texts } from '#portal/texts/en.ts'
import { Consents, Refused } from './sign-in.tsx'
import { wrongProps, type Wrong } from './ways.tsx'

interface CodeProps extends Pick<PortalPageProps, 'design' | 'action' | 'hidden'> {
  step: CodeStep
  language: Language
  texts: Texts
}

export function Code({ design, step, action, hidden = {}, language, texts }: CodeProps) {
  const { method, channel, address, seconds_online, agreed } = step
  const { code } = texts
  const sent = { ...hidden, method, ...(agreed && design.terms ? { terms: design.terms_version } : {}) }
  return (
    <form method="post" action={action} id="sign-in">
      {Object.entries(sent).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <h2>{channel === 'email' ? code.email_title : code.sms_title}</h2>
      <Refused refused={step.refused} texts={texts} />
      <p>
        {code[channel](address)} {seconds_online !== null && code.online(left.time(seconds_online, language))}
      </p>
      <label className="field">
        <span>{code.field}</span>
        <input
          name="code"
          dir="ltr"
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={20}
          spellCheck={false}
          required
          {...wrongProps(wrongCode(step.refused), 'code')}
        />
      </label>
      {!agreed && <Consents design={design} texts={texts} />}
      <button type="submit">{code.confirm}</button>
      <button className="plain" type="submit" name="again" value="1" formNoValidate>
        {code.again}
      </button>
      <button className="plain" type="submit" name="change" value="1" formNoValidate>
        {code.change}
      </button>
    </form>
  )
}

const wrongCode = (refused: Refusal | undefined): Wrong =>
  refused !== undefined && ['incomplete', 'wrong_code', 'code_over'].includes(refused)
    ? { marked: ['code'], focused: 'code' }
    : { marked: [], focused: undefined }

export function Confirm({ step, action, texts }: { step: ConfirmStep; action: string; texts: Texts }) {
  const { state, address } = step
  const { confirm } = texts
  if (state !== 'asked')
    return (
      <div className="outcome">
        <Icon of={state === 'done' ? 'done' : 'attention'} />
        <h2>{state === 'done' ? confirm.done_title : confirm.over_title}</h2>
        <p>{state === 'done' ? confirm.done : confirm.over}</p>
      </div>
    )
  return (
    <div className="outcome">
      <Icon of="attention" />
      <h2>{confirm.title}</h2>
      <p>{confirm.asked(address)}</p>
      <form method="post" action={action}>
        <button type="submit">{texts.code.confirm}</button>
      </form>
    </div>
  )
}
