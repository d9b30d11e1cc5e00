// Instructions: what the guest needs to know to get online, to be read out, printed or sent.
import * as accounts from '#contract/accounts.ts'
import { send, type HelpSubject } from '#contract/guest-help.ts'
import { cards } from '#contract/room-guests.ts'
import { call } from '#web/kit/call/call.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { printCard, printLoaded } from '#web/kit/made/print.ts'
import { CopyButton } from '#web/kit/made/copy-button.tsx'
import { SendByMail } from '#web/kit/made/send-by-mail.tsx'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Panel } from '#web/ui/page.tsx'
import { say } from '#web/words/desk.ts'
import styles from './guest-help.module.css'

type SignIn = NonNullable<HelpSubject['tell']>

interface InstructionsProps {
  subject: HelpSubject
  tell: SignIn
  /** An account's password, if the user may see it. */
  password: string | null
}

export function Instructions({ subject, tell: { rows, ...signIn }, password }: InstructionsProps) {
  const maySend = useMayCall(send)
  const { kind, id } = subject
  const tell = {
    ...signIn,
    rows: password === null ? rows : [...rows, { label: say('made.password-label'), value: password }],
  }
  const card = cardOf(subject, tell)
  const mail = (email: string) =>
    password === null ? call(send, { kind, id, email }) : call(accounts.sendSignIn, { id, email })
  return (
    <Panel title={say('tell.title')}>
      <Facts
        facts={[
          [say('tell.network'), tell.network, say('tell.guest-wifi')],
          ...tell.rows.map(
            ({ label, value }) =>
              [
                label,
                <b key={label} translate="no">
                  {value}
                </b>,
              ] as const,
          ),
          [say('tell.page'), tell.page, say('tell.opens')],
        ]}
      />
      <div className={styles.hands}>
        <Button icon="print" onClick={() => printCard(card)}>
          {say('print')}
        </Button>
        <CopyButton value={card.lines.map(([label, value]) => `${label}: ${value}`).join('\n')} />
        {maySend && <SendByMail address={tell.email ?? undefined} send={mail} />}
      </div>
    </Panel>
  )
}

/** Prints how guests of rooms get online, a card each. `after`: the sentence of what was just done to them. */
export function PrintCards({ ids, after }: { ids: readonly number[]; after?: string }) {
  const load = async () => (await call(cards, { ids: [...ids] })).map((card) => cardOf(card, card))
  const act = ids.length === 1 ? say('print') : say('tell.cards', { count: ids.length })
  return (
    <Button
      icon="print"
      {...(after !== undefined && { label: say('act.of', { act, sentence: after }) })}
      onClick={() => void printLoaded(load).catch(notify.failure)}
    >
      {act}
    </Button>
  )
}

/** The contents of a printed card. */
export const cardOf = (
  { name, property }: Pick<HelpSubject, 'name' | 'property'>,
  { network, rows }: Pick<SignIn, 'network' | 'rows'>,
) => ({
  title: say('tell.card-title', { property: property?.name ?? '' }),
  note: name,
  lines: [
    ...(network === null ? [] : [[say('tell.network'), network] as const]),
    ...rows.map(({ label, value }) => [label, value] as const),
  ],
})
