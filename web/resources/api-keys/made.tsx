// Made: a new key, which is shown only once, with a first call that is ready to paste.
import { useEffect, useRef } from 'react'
import type { NewApiKey } from '#contract/api-keys.ts'
import type { z } from 'zod'
import { CopyButton } from '#web/kit/made/copy-button.tsx'
import { JustMade, Values } from '#web/kit/made/just-made.tsx'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/state.tsx'
import { firstCall, permissionsText } from './words.ts'
import styles from './api-keys.module.css'

export type MadeKey = z.output<typeof NewApiKey>

interface MadeProps {
  apiKey: MadeKey
  back: string
  onAnother: () => void
}

export function Made({ apiKey: { name, token, permissions }, back, onAnother }: MadeProps) {
  const example = firstCall(token, permissions)
  const head = useRef<HTMLDivElement>(null)
  // The form was scrolled to its end; the new key is at the top.
  useEffect(() => {
    head.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={head} className={styles.made}>
      <JustMade
        title="The key is ready"
        note={`${name} · ${permissionsText(permissions)}`}
        actions={<CopyButton value={token}>Copy key</CopyButton>}
        next={
          <>
            <Button icon="add" onClick={onAnother}>
              Another
            </Button>
            <LinkButton kind="quiet" href={back}>
              All API keys
            </LinkButton>
          </>
        }
      >
        <Notice>Copy it now: it is not shown again. Anyone who has it can use its rights.</Notice>
        <div className={styles.token}>
          <Values rows={[{ label: 'Key', value: token }]} />
        </div>
        <section aria-label="A first call">
          <h3 className={styles.title}>A first call</h3>
          <pre className={styles.example} translate="no">
            {example}
          </pre>
          <div className={styles.beside}>
            <CopyButton value={example}>Copy the call</CopyButton>
            <a href="/api/docs" target="_blank" rel="noreferrer">
              All calls
            </a>
          </div>
        </section>
      </JustMade>
    </div>
  )
}
