// Set-up: the steps to the first guest online, in order. Replaces the dashboard of a new customer until somebody has been online.
import * as gateways from '#contract/gateways.ts'
import * as batches from '#contract/voucher-batches.ts'
import { Link, LinkButton } from '#web/kit/navigation/link.tsx'
import { hasScreen, to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { may, mayCall } from '#web/session/may.ts'
import { Icon } from '#web/ui/icons.tsx'
import { Panel } from '#web/ui/page.tsx'
import type { Figures } from './figures.ts'
import { FirstProperty, useCountryHere } from './first-property.tsx'
import styles from './dashboard.module.css'

interface Step {
  title: string
  hint: string
  done: boolean
  href?: string
}

/** Steps whose screen does not exist in this context, or that this user may not take, have no link. */
function stepsOf(figures: Figures): Step[] {
  const leads = (allowed: boolean, screen: string, href: string) =>
    allowed && hasScreen(appContext(), screen) ? { href } : {}
  return [
    {
      title: 'Add a property',
      hint: 'The building whose guests get Wi-Fi.',
      done: figures.properties > 0,
      ...leads(may('properties'), 'properties/create', to.newProperty()),
    },
    {
      title: 'Look at the packages',
      hint: 'How much data, how fast and for how long. There are three to start with.',
      done: figures.packages > 0 && figures.properties > 0,
      ...leads(true, 'packages', to.packages()),
    },
    {
      title: 'Make vouchers or an account',
      hint: 'What a guest signs in with.',
      done: figures.voucher_batches > 0 || figures.accounts > 0,
      ...leads(mayCall(batches.create), 'vouchers/create', to.newVouchers()),
    },
    {
      title: 'Connect the gateway',
      hint: 'The box at the property that asks Foyer who may go online.',
      done: figures.gateways > 0,
      ...leads(mayCall(gateways.create), 'gateways/update', to.newGateway(figures.standings[0]?.id)),
    },
    {
      title: 'See the first guest online',
      hint: 'Join the network with a phone and use a voucher.',
      done: false,
      ...leads(true, 'sessions', to.sessions({ 'filter.online': 'true' })),
    },
  ]
}

/** Until a guest has been online, the dashboard would only show zeros. */
export const isBeingSetUp = ({ ever_online }: Figures): boolean =>
  !ever_online && appContext() === 'customer' && may('properties')

export function SetUp({ figures }: { figures: Figures }) {
  const steps = stepsOf(figures)
  const next = steps.findIndex(({ done }) => !done)
  const country = useCountryHere()
  return (
    <div className={styles.setUp}>
      <Panel title="Get the first guest online">
        <ol>
          {steps.map((step, index) => (
            <li key={step.title} data-done={step.done} aria-current={index === next ? 'step' : undefined}>
              <span className={styles.mark} aria-hidden>
                {step.done ? <Icon name="check" size={14} /> : index + 1}
              </span>
              <span className={styles.step}>
                {step.href && index !== next ? <Link href={step.href}>{step.title}</Link> : <b>{step.title}</b>}
                {step.done && <span className="unseen"> (done)</span>}
                <small>{step.hint}</small>
                {index === next && index === 0 && step.href && country && <FirstProperty country={country} />}
              </span>
              {index === next && step.href && !(index === 0 && country) && (
                <LinkButton kind="primary" href={step.href} label={`Begin: ${step.title}`}>
                  Begin
                </LinkButton>
              )}
            </li>
          ))}
        </ol>
      </Panel>
    </div>
  )
}
