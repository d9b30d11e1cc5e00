// Tell: what the guest has to know to get online, to be read out, printed or sent.
import { send, type HelpSubject } from '#contract/guest-help.ts'
import { call } from '#web/kit/call/call.ts'
import { printCard } from '#web/kit/call/print.ts'
import { SendByMail } from '#web/kit/made/send-by-mail.tsx'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Panel } from '#web/ui/page.tsx'
import styles from './guest-help.module.css'

type Told = NonNullable<HelpSubject['tell']>

export function Tell({ subject, tell }: { subject: HelpSubject; tell: Told }) {
  const maySend = useMayCall(send)
  const { kind, id } = subject
  return (
    <Panel title="Tell the guest">
      <Facts
        facts={[
          ['Network', tell.network, 'The guest Wi-Fi'],
          ...tell.rows.map(
            ({ label, value }) =>
              [
                label,
                <b key={label} translate="no">
                  {value}
                </b>,
              ] as const,
          ),
          ['Page', tell.page, 'It opens by itself'],
        ]}
      />
      <div className={styles.hands}>
        <Button icon="print" onClick={() => printCard(cardOf(subject, tell))}>
          Print
        </Button>
        {maySend && <SendByMail address={tell.email ?? undefined} send={(email) => call(send, { kind, id, email })} />}
      </div>
    </Panel>
  )
}

/** Large enough to be read on a slip. */
export const cardOf = ({ name, property }: Pick<HelpSubject, 'name' | 'property'>, { network, rows }: Told) => ({
  title: `Wi-Fi at ${property?.name ?? ''}`,
  note: name,
  lines: [
    ...(network === null ? [] : [['Network', network] as const]),
    ...rows.map(({ label, value }) => [label, value] as const),
  ],
})
