// Whose address: a dialog with an address, `?modal=whose-address`, for letters about misuse: who had an IP address at a time. With a
// session (`&session_id=7`) its address and start are filled in. Every look-up is recorded in the activity log.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Output } from '#contract/endpoint.ts'
import * as reference from '#contract/reference.ts'
import * as sessions from '#contract/sessions.ts'
import { AddressAsked } from '#contract/sessions.ts'
import { call } from '#web/kit/call/call.ts'
import { useNames } from '#web/kit/call/names.ts'
import { keys } from '#web/kit/call/query-client.ts'
import { timeIn } from '#web/kit/display/dates.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { zoneName, zoneOptions } from '#web/kit/display/time-zones.ts'
import { Field } from '#web/kit/form/field.tsx'
import { localOf, MomentField, momentOf } from '#web/kit/form/moment-field.tsx'
import { NotPermitted } from '#web/kit/form/permitted.tsx'
import { General } from '#web/kit/form/resource-form.tsx'
import { useForm } from '#web/kit/form/use-form.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { useZoneOf } from '#web/limits/zone-of.ts'
import { hasScreen, to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogFooter } from '#web/ui/dialog.tsx'
import { Facts, type Fact } from '#web/ui/facts.tsx'
import { Row } from '#web/ui/page.tsx'
import { Select } from '#web/ui/select.tsx'
import { EmptyState, Skeleton } from '#web/ui/state.tsx'
import { addressesOf, nameOf } from './kind.ts'
import styles from './sessions.module.css'

export interface WhoseAddressProps {
  session_id?: number
  property_id?: number
  close: () => void
}

export function WhoseAddress({ session_id, property_id, close }: WhoseAddressProps) {
  const mayAsk = useMayCall(sessions.whoseAddress)
  const session = useQuery({
    queryKey: keys.one(sessions.get.path, session_id ?? 0),
    queryFn: ({ signal }) => call(sessions.get, { id: session_id ?? 0 }, { signal }),
    enabled: mayAsk && session_id !== undefined,
  })
  const zone = useZoneOf(
    session.data?.property.id ?? property_id,
    session_id === undefined || session.data !== undefined,
  )
  return (
    <Dialog open onClose={close} title="Who had this address?" width={640} wholeOnPhones>
      {!mayAsk ? (
        <NotPermitted icon="sessions" />
      ) : session.isError ? (
        <LoadFailed error={session.error} again={() => void session.refetch()} />
      ) : zone === undefined ? (
        <Skeleton height={200} label="Loading" />
      ) : (
        <AddressForm zone={zone} {...(session.data ? { session: session.data } : {})} />
      )}
    </Dialog>
  )
}

type Session = Output<typeof sessions.get>
type Holder = Output<typeof sessions.whoseAddress>[number]

interface Answer {
  ip_address: string
  at: string
  holders: Holder[]
}

function AddressForm({ zone: placeZone, session }: { zone: string; session?: Session }) {
  const [zone, setZone] = useState(placeZone)
  const [answer, setAnswer] = useState<Answer>()
  const [address = ''] = session ? addressesOf(session) : []
  const form = useForm(AddressAsked, { ip_address: address, at: session?.started_at ?? '' }, async (asked) => {
    setAnswer(undefined)
    setAnswer({ ...asked, holders: await call(sessions.whoseAddress, asked) })
  })
  const { at } = form.values
  const changeZone = (next: string) => {
    // Keeps the local time as typed from the letter, which is another moment in the new zone.
    form.set('at', momentOf(localOf(at, zone), next))
    setZone(next)
  }
  return (
    <form {...form.bind} className={styles.form}>
      <General sentences={form.general} />
      <p className={styles.said}>
        As a letter about misuse names it. Everyone who had it within five minutes of the time is listed, because clocks
        differ. The activity log records that you asked.
      </p>
      <Field form={form} name="ip_address" placeholder="192.0.2.10 or 2001:db8::1" autoComplete="off" first />
      <Row>
        <MomentField form={form} name="at" label="Day and time" zone={zone} />
        <Select
          label="In the time of"
          name="zone"
          options={zoneOptions(useNames(reference.countries), [placeZone, 'UTC'], zone)}
          value={zone}
          clearable={false}
          onChange={(next) => next !== null && changeZone(next)}
        />
      </Row>
      <div role="status">{answer && <Holders of={answer} zone={zone} />}</div>
      <DialogFooter>
        <Button kind="primary" icon="search" submit busy={form.saving}>
          Look up
        </Button>
      </DialogFooter>
    </form>
  )
}

function Holders({ of: { ip_address, at, holders }, zone }: { of: Answer; zone: string }) {
  const when = `${timeIn(at, zone)}, ${zoneName(zone)} time`
  if (holders.length === 0)
    return (
      <EmptyState icon="search" title="Nobody had it then">
        No session had {ip_address} at {when}. Check whose clock the letter goes by. Where guests have private
        addresses, it names the gateway’s own.
      </EmptyState>
    )
  return (
    <section className={styles.holders} aria-label="Who had it">
      <h3>
        {holders.length === 1 ? 'One session' : `${holders.length} sessions`} had {ip_address} at {when}
      </h3>
      <ul>
        {holders.map((holder) => (
          <li key={`${holder.session_id} ${holder.since}`}>
            <OneHolder holder={holder} asked={ip_address} zone={zone} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const Linked = ({ href, children }: { href: string | undefined; children: string }) =>
  href === undefined ? children : <Link href={href}>{children}</Link>

function OneHolder({ holder, asked, zone }: { holder: Holder; asked: string; zone: string }) {
  const { identifier, guest_name, mac_address, property, room, address, since, until } = holder
  const propertyHref = hasScreen(appContext(), 'properties/update') ? to.property(property.id) : undefined
  const known = mac_address ?? identifier
  const facts: Fact[] = [
    ['From', timeIn(since, zone)],
    ['Until', until === null ? 'Still has it' : timeIn(until, zone)],
    [
      'Property',
      <Linked key="property" href={propertyHref}>
        {property.name}
      </Linked>,
    ],
    ...(room
      ? [
          [
            'Room',
            <Linked key="room" href={to.room(room.id)}>
              {room.name}
            </Linked>,
          ] as const,
        ]
      : []),
    ...(guest_name !== null && identifier !== null ? [['Signed in with', identifier] as const] : []),
    ['MAC address', mac_address, 'Not reported'],
    ...(address === asked ? [] : [['In the prefix', address] as const]),
    ...(known === null
      ? []
      : [
          [
            'Session',
            <Link key="session" href={to.sessions({ q: known })}>
              Find in the list
            </Link>,
          ] as const,
        ]),
  ]
  return (
    <>
      <h4>
        <Linked href={to.sessionHolder(holder)}>{nameOf(holder)}</Linked>
      </h4>
      <Facts inColumns facts={facts} />
    </>
  )
}
