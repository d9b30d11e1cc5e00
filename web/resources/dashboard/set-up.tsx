// Set-up: the steps to the first guest online, in order. Replaces the dashboard of a new customer until somebody has been online.
import * as gateways from '#contract/gateways.ts'
import * as samples from '#contract/samples.ts'
import * as trials from '#contract/trials.ts'
import * as batches from '#contract/voucher-batches.ts'
import { Link, LinkButton } from '#web/kit/navigation/link.tsx'
import { useCountryHere } from '#web/limits/property-presets.ts'
import { hasScreen, to, withModal } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { may, mayCall } from '#web/session/may.ts'
import { Icon } from '#web/ui/icons.tsx'
import { Panel } from '#web/ui/page.tsx'
import type { Figures } from './figures.ts'
import { FirstProperty } from './first-property.tsx'
import { SampleOffer } from './sample.tsx'
import styles from './dashboard.module.css'

interface Step {
  title: string
  hint: string
  /** What the step is for has happened. */
  done: boolean
  /** Not asked for any more, whether or not it was done. */
  passed?: boolean
  href?: string
  /** On the button that opens it. */
  press?: string
}

/** Steps whose screen does not exist in this context, or that this user may not take, have no link. */
export function stepsOf(figures: Figures): Step[] {
  const leads = (allowed: boolean, screen: string, href: string) =>
    allowed && hasScreen(appContext(), screen) ? { href } : {}
  const { awaited_gateway: awaited } = figures
  const [only, ...others] = figures.standings
  // Of several, people choose.
  const place: { property_id?: number } = only && others.length === 0 ? { property_id: only.id } : {}
  return [
    {
      title: 'Add a property',
      hint: 'The building whose guests get Wi-Fi.',
      done: figures.properties > 0,
      ...leads(may('properties'), 'properties/create', to.newProperty()),
    },
    {
      title: 'Give out a code',
      hint: 'What a first guest signs in with: one voucher, or an account with a name and a password.',
      done: figures.voucher_batches > 0 || figures.accounts > 0,
      ...leads(mayCall(batches.create), 'vouchers/create', withModal(to.dashboard(), 'one-voucher', place)),
    },
    {
      title: 'Try it as a guest',
      hint: figures.tried
        ? 'Tried. Next, connect a real gateway.'
        : 'On your own portal, with a simulated gateway. Nothing is counted or sent.',
      done: figures.tried,
      passed: figures.gateways > 0,
      ...(figures.properties > 0 &&
        leads(mayCall(trials.startTrial), 'properties', withModal(to.dashboard(), 'trial', place))),
      press: 'Try it',
    },
    {
      title: 'Register the gateway',
      hint: 'The box at the property that asks Foyer who may go online.',
      done: figures.gateways > 0,
      ...leads(mayCall(gateways.create), 'gateways/update', to.newGateway(place.property_id)),
    },
    {
      title: 'Receive its first packet',
      hint: awaited
        ? `Paste the lines from its page into ${awaited.name}. This is ticked off once Foyer hears from it.`
        : 'Paste the lines from its page into it. This is ticked off once Foyer hears from it.',
      done: figures.ever_heard,
      ...(awaited && { ...leads(true, 'gateways/update', to.gateway(awaited.id, 'setup')), press: 'What to paste' }),
    },
    {
      title: 'Let the first guest in',
      hint: 'Join the network with a phone and use the code.',
      done: figures.ever_accepted,
      ...leads(true, 'sign-in-attempts', to.signInAttempts()),
      press: 'Who tried',
    },
    {
      title: 'See the first guest online',
      hint: 'The gateway reports how long and how much.',
      done: false,
      ...leads(true, 'sessions', to.sessions()),
      press: 'Sessions',
    },
  ]
}

/** Until a guest has been online, the dashboard would only show zeros. */
export const isBeingSetUp = ({ ever_online }: Figures): boolean =>
  !ever_online && appContext() === 'customer' && may('properties')

export function SetUp({ figures }: { figures: Figures }) {
  const steps = stepsOf(figures)
  const next = steps.findIndex(({ done, passed }) => !done && !passed)
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
                <LinkButton kind="primary" href={step.href} label={`${step.press ?? 'Begin'}: ${step.title}`}>
                  {step.press ?? 'Begin'}
                </LinkButton>
              )}
            </li>
          ))}
        </ol>
        {mayCall(samples.startSample) && <SampleOffer />}
      </Panel>
    </div>
  )
}
