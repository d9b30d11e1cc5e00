// Layout chooser: the first step to a new portal: one of three layouts, each with a small drawing.
import { useState, type ReactNode } from 'react'
import { messages } from '#contract/messages.ts'
import * as portals from '#contract/portals.ts'
import { portalLayouts } from '#contract/portals.ts'
import { Permitted } from '#web/kit/form/permitted.tsx'
import { go, leaveTo } from '#web/kit/navigation/go.ts'
import { to } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { layoutChoices } from './layouts.ts'
import styles from './layout-chooser.module.css'

export function LayoutChooser() {
  const [chosen, choose] = useState<number>(portalLayouts.horizontal)
  const leave = () => leaveTo(to.portals())
  return (
    <Dialog open onClose={leave} title="Choose a layout" width={720}>
      <Permitted to={portals.create}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            go(to.newPortal(chosen), { replace: true })
          }}
        >
          <p className={styles.lead}>How the page is laid out on a wide screen. You can change it at any time.</p>
          <fieldset className={styles.layouts}>
            <legend className="unseen">Layout</legend>
            {layoutChoices.map(({ id, name, hint }) => (
              <label key={id} className={styles.layout}>
                <input
                  type="radio"
                  name="portal_layout_id"
                  value={id}
                  checked={id === chosen}
                  data-autofocus={id === chosen || undefined}
                  onChange={() => choose(id)}
                />
                <span className={styles.drawing}>{drawings[id]}</span>
                <b>{name}</b>
                <small>{hint}</small>
              </label>
            ))}
          </fieldset>
          <div className={styles.buttons}>
            <Button onClick={leave}>Back</Button>
            <Button kind="primary" submit>
              {messages.portal.continue}
            </Button>
          </div>
        </form>
      </Permitted>
    </Dialog>
  )
}

const Drawing = ({ children }: { children: ReactNode }) => (
  <svg viewBox="0 0 160 100" aria-hidden focusable="false">
    {children}
  </svg>
)
const line = (x: number, y: number, width: number, height = 5) => (
  <rect className={styles.line} x={x} y={y} width={width} height={height} rx={height / 2} />
)
/** A card with a field and a button. */
const card = (x: number, y: number, width: number) => (
  <>
    <rect className={styles.card} x={x} y={y} width={width} height={46} rx={5} />
    <rect className={styles.field} x={x + 7} y={y + 9} width={width - 14} height={10} rx={3} />
    <rect className={styles.button} x={x + 7} y={y + 26} width={width - 14} height={11} rx={3} />
  </>
)

const drawings: Record<number, ReactNode> = {
  [portalLayouts.horizontal]: (
    <Drawing>
      {line(12, 12, 24, 6)}
      {line(12, 40, 52, 7)}
      {line(12, 53, 38, 7)}
      {card(88, 28, 58)}
    </Drawing>
  ),
  [portalLayouts.vertical]: (
    <Drawing>
      {line(68, 12, 24, 6)}
      {line(54, 26, 52, 7)}
      {card(51, 42, 58)}
    </Drawing>
  ),
  [portalLayouts.withImage]: (
    <Drawing>
      <rect className={styles.scene} x="0" y="0" width="80" height="100" />
      <path className={styles.hills} d="M0 78 26 50l20 20 12-11 22 22v19H0z" />
      <circle className={styles.hills} cx="58" cy="28" r="8" />
      {line(92, 12, 22, 6)}
      {line(92, 26, 46, 7)}
      {card(92, 40, 56)}
    </Drawing>
  ),
}
