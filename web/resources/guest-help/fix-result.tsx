// Fix result: shows what a fix has created for the guest to take along: a code or a password; or a gateway's secret.
import { printCard } from '#web/kit/made/print.ts'
import { CopyButton } from '#web/kit/made/copy-button.tsx'
import { JustMade, Values } from '#web/kit/made/just-made.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { say } from '#web/words/desk.ts'
import type { Handed } from './fix-calls.ts'

export const FixResult = ({ handed, close }: { handed: Handed | undefined; close: () => void }) => (
  <Dialog open={handed !== undefined} onClose={close} title={handed?.title ?? ''} width={520}>
    {handed && (
      <JustMade
        title={handed.title}
        note={handed.note}
        actions={
          <>
            <Button kind="primary" icon="print" first onClick={() => printCard(cardOf(handed))}>
              {say('print')}
            </Button>
            <CopyButton value={handed.rows.map(({ label, value }) => `${label}: ${value}`).join('\n')} />
          </>
        }
        next={
          <Button kind="quiet" onClick={close}>
            {say('done')}
          </Button>
        }
      >
        <Values rows={handed.rows} />
      </JustMade>
    )}
  </Dialog>
)

const cardOf = ({ title, note, rows }: Handed) => ({
  title,
  note,
  lines: rows.map(({ label, value }): readonly [string, string] => [label, value]),
})
