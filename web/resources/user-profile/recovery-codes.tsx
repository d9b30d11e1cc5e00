// Recovery codes: shown once, to be copied or printed, in case the telephone is lost.
import { printCard } from '#web/kit/made/print.ts'
import { CopyButton } from '#web/kit/made/copy-button.tsx'
import { JustMade, ValueList } from '#web/kit/made/just-made.tsx'
import { useSession } from '#web/session/session.ts'
import { Button } from '#web/ui/button.tsx'

export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { user } = useSession()
  const lines = codes.map((code, index) => [String(index + 1), code] as const)
  return (
    <JustMade
      title="Your second factor is on"
      note="Keep these recovery codes somewhere you can find them without your phone. Each works once. They are not shown again."
      actions={
        <>
          <CopyButton value={codes.join('\n')}>Copy codes</CopyButton>
          <Button
            icon="print"
            onClick={() => printCard({ title: 'Recovery codes for Foyer', note: user?.email ?? '', lines })}
          >
            Print
          </Button>
        </>
      }
      next={
        <Button kind="primary" first onClick={onDone}>
          I have kept them
        </Button>
      }
    >
      <ValueList label="Recovery codes" values={codes} />
    </JustMade>
  )
}
