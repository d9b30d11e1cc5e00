// Room guest form: checks a guest into a room, or edits one who is in it: name, contact, stay.
import { search } from '#contract/guest-help.ts'
import * as roomGuests from '#contract/room-guests.ts'
import { SharingInput } from '#contract/room-guests.ts'
import * as rooms from '#contract/rooms.ts'
import { DayField } from '#web/kit/form/day-field.tsx'
import { FieldSection } from '#web/kit/form/field-section.tsx'
import { Field } from '#web/kit/form/field.tsx'
import { NameSelect } from '#web/kit/form/name-select.tsx'
import { Permitted } from '#web/kit/form/permitted.tsx'
import { ResourceForm } from '#web/kit/form/resource-form.tsx'
import { useRecord, useResource } from '#web/kit/form/use-resource.ts'
import { go, leaveTo } from '#web/kit/navigation/go.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { mayCall } from '#web/session/may.ts'
import { useOwnProperty } from '#web/session/session.ts'
import { tookPlace } from '#web/stays/acts.ts'
import { RoomChoice, shareWords, Sharing, useShared } from '#web/stays/room-choice.tsx'
import { PageHeader } from '#web/ui/page.tsx'
import { Skeleton } from '#web/ui/state.tsx'
import { say } from '#web/words/desk.ts'
import { useDayAt } from './today.ts'
import styles from './room-guests.module.css'

/** A guest by `id`, or a new one: in the given room, or in a room of the given property that is yet to be chosen. */
export function RoomGuestScreen({ id, room_id, property_id }: { id?: number; room_id?: number; property_id?: number }) {
  if (id !== undefined) return <Staying id={id} />
  if (room_id !== undefined) return <Arriving room_id={room_id} />
  if (property_id !== undefined) return <ArrivingAt property_id={property_id} />
  return <ArrivingSomewhere />
}

/** Users of several properties choose one first. */
function ArrivingSomewhere() {
  const own = useOwnProperty()
  if (own !== undefined) return <ArrivingAt property_id={own} />
  return (
    <>
      <PageHeader title={say('check-in')} above={<Link href={to.dashboard()}>{say('form.dashboard')}</Link>} />
      <Permitted to={roomGuests.create} back={to.dashboard()} icon="rooms">
        <NameSelect
          label={say('property')}
          name="property_id"
          to="properties"
          value={undefined}
          onChange={(id) => id !== undefined && go(to.checkIn(id), { replace: true })}
        />
      </Permitted>
    </>
  )
}

function ArrivingAt({ property_id }: { property_id: number }) {
  const back = to.roomsOf(property_id)
  return (
    <>
      <PageHeader title={say('check-in')} above={<Link href={back}>{say('form.rooms')}</Link>} />
      <Permitted to={roomGuests.create} back={back} icon="rooms">
        <RoomGuestForm property_id={property_id} back={back} />
      </Permitted>
    </>
  )
}

function Arriving({ room_id }: { room_id: number }) {
  const room = useRecord(rooms, room_id)
  const back = to.room(room_id)
  return (
    <>
      <PageHeader
        title={room && say('find.check-in-to', { room: room.number })}
        above={<Link href={back}>{room ? say('form.room', { room: room.number }) : say('room.label')}</Link>}
      />
      <Permitted to={roomGuests.create} back={back} icon="rooms">
        <RoomGuestForm room_id={room_id} property_id={room?.property_id} back={back} />
      </Permitted>
    </>
  )
}

function Staying({ id }: { id: number }) {
  const guest = useRecord(roomGuests, id)
  const back = guest ? to.room(guest.room_id) : to.rooms()
  return (
    <>
      <PageHeader
        title={guest?.name}
        above={<Link href={back}>{guest ? say('form.room', { room: guest.room.name }) : say('room.label')}</Link>}
      />
      <RoomGuestForm id={id} property_id={guest?.property_id} back={back} />
    </>
  )
}

const guestNoun = () => ({
  created: say('form.created-guest'),
  updated: say('form.saved-guest'),
  missing: say('form.missing-guest'),
})

interface RoomGuestFormProps {
  id?: number
  room_id?: number
  property_id: number | undefined
  back: string
}

/** A new guest arrives today, by the property's clock, which has to be loaded first. */
function RoomGuestForm(props: RoomGuestFormProps) {
  const day = useDayAt(props.id === undefined ? props.property_id : undefined)
  if (props.id === undefined && day === undefined) return <Skeleton height={320} label={say('loading')} />
  return <FieldsOfGuest {...props} day={day} />
}

function FieldsOfGuest({ id, room_id, property_id, back, day }: RoomGuestFormProps & { day: string | undefined }) {
  const form = useResource(
    roomGuests,
    SharingInput,
    id,
    id === undefined ? { ...(room_id && { room_id }), arrives_on: day } : {},
  )
  const shared = useShared(form, form.record?.room_id)
  return (
    <ResourceForm
      form={form}
      noun={guestNoun()}
      back={back}
      save={shared ? shareWords(shared) : id === undefined ? say('check-in') : undefined}
      // After check-in opens the page that shows, prints and sends how to get online, and takes it back.
      onDone={(guest) => {
        if (id === undefined) tookPlace(roomGuests.create, {}, guest, say('form.checked-in', { name: guest.name }))
        leaveTo(
          id === undefined && mayCall(search) ? to.guestHelp({ kind: 'stay', id: guest.id }) : to.room(guest.room_id),
        )
      }}
    >
      <FieldSection
        form={form}
        fields={roomGuests.fields}
        section="guest"
        title={say('form.guest')}
        hint={say('form.guest-hint')}
        rows={[
          ['last_name', 'first_name'],
          ['email', 'mobile_number'],
        ]}
        own={{
          last_name: (
            <Field
              form={form}
              name="last_name"
              label={say('form.last-name')}
              first={id === undefined}
              autoComplete="off"
            />
          ),
          first_name: <Field form={form} name="first_name" label={say('form.first-name')} autoComplete="off" />,
          email: <Field form={form} name="email" label={say('form.email')} type="email" />,
          mobile_number: (
            <Field
              form={form}
              name="mobile_number"
              label={say('form.mobile')}
              type="tel"
              placeholder="+44 20 7946 0000"
            />
          ),
        }}
      />
      <FieldSection
        form={form}
        fields={roomGuests.fields}
        section="stay"
        title={say('stay.title')}
        hint={say('form.stay-hint')}
        rows={[
          ['room_id', 'external_reference'],
          ['arrives_on', 'departs_on'],
        ]}
        own={{
          room_id: (
            <div className={styles.room}>
              <RoomChoice form={form} property_id={property_id} />
              {shared && <Sharing room={shared} />}
            </div>
          ),
          external_reference: (
            <Field
              form={form}
              name="external_reference"
              label={say('form.reservation')}
              hint={say('form.reservation-hint')}
            />
          ),
          arrives_on: <DayField form={form} name="arrives_on" label={say('form.arrival')} />,
          departs_on: <DayField form={form} name="departs_on" label={say('form.departure')} />,
        }}
      />
    </ResourceForm>
  )
}
