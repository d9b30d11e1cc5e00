// New rooms: one or many at once, `101–140`. The numbers are expanded in a preview before anything is saved.
import { useRef, useState } from 'react'
import { z } from 'zod'
import { constants } from '#contract/constants.ts'
import type { FieldErrors } from '#contract/errors.ts'
import { messages } from '#contract/messages.ts'
import * as rooms from '#contract/rooms.ts'
import { call, Refused } from '#web/kit/call/call.ts'
import { freshKey, keepsKey } from '#web/kit/call/idempotency.ts'
import { forgetLists, invalidateOthers } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { wholeOf } from '#web/kit/display/numbers.ts'
import { Field } from '#web/kit/form/field.tsx'
import { useFormKeys } from '#web/kit/form/form-keys.ts'
import { useLeaveGuard } from '#web/kit/form/leave-guard.ts'
import { Lookup } from '#web/kit/form/lookup.tsx'
import { Permitted } from '#web/kit/form/permitted.tsx'
import { FormButtons, General, savedSentence } from '#web/kit/form/resource-form.tsx'
import { StatusField } from '#web/kit/form/status-field.tsx'
import { useForm } from '#web/kit/form/use-form.ts'
import { JustMade, ValueList } from '#web/kit/made/just-made.tsx'
import { go } from '#web/kit/navigation/go.ts'
import { Link, LinkButton } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { useOwnProperty } from '#web/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { PageHeader, Row, Section } from '#web/ui/page.tsx'
import { numbersIn } from './numbers.ts'
import { roomStatus } from './status.ts'
import styles from './rooms.module.css'

const { created_max } = constants.rooms
const typed_max = 10_000
const { property_id, package_id, draft, active } = rooms.RoomInput.shape

/** `numbers` as typed; it is expanded, and each number validated. */
const Typed = z.object({
  property_id,
  numbers: z
    .string()
    .trim()
    .min(1)
    .max(typed_max)
    .superRefine((typed, { addIssue }) => {
      const { numbers, tooMany } = numbersIn(typed, created_max)
      const wrong = numbers.find((number) => !rooms.number.safeParse(number).success)
      if (tooMany !== undefined)
        addIssue({ code: 'custom', message: `At most ${created_max} rooms at once: “${tooMany}” is more than that.` })
      else if (wrong !== undefined)
        addIssue({ code: 'custom', message: `“${wrong.slice(0, 20)}…” is too long for a room's number.` })
      else if (numbers.length === 0) addIssue({ code: 'custom', message: messages.fields.required })
    }),
  package_id,
  draft,
  active,
})

interface Made {
  property_id: number
  numbers: string[]
}

export function NewRooms({ property_id: preset }: { property_id?: number }) {
  const own = useOwnProperty()
  const place = preset ?? own
  const [made, setMade] = useState<Made>()
  const back = to.roomsOf(place)
  return (
    <>
      <PageHeader title={made ? 'Rooms' : 'New rooms'} above={<Link href={back}>Rooms</Link>} />
      <Permitted to={rooms.create} back={back} icon="rooms">
        {made ? (
          <MadeRooms made={made} onMore={() => setMade(undefined)} />
        ) : (
          <RoomsForm place={place} back={back} onMade={setMade} />
        )}
      </Permitted>
    </>
  )
}

/** The server's errors are for `number`, `numbers` or `numbers.3`; here there is one field for all of them. */
const inOneField = (errors: FieldErrors): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors).map(([path, sentences]) => [/^numbers?(\.|$)/.test(path) ? 'numbers' : path, sentences]),
  )

interface RoomsFormProps {
  place: number | undefined
  back: string
  onMade: (made: Made) => void
}

function RoomsForm({ place, back, onMade }: RoomsFormProps) {
  const element = useRef<HTMLFormElement>(null)
  const key = useRef(freshKey())
  const form = useForm(
    Typed,
    { draft: false, active: true, ...(place ? { property_id: place } : {}) },
    async ({ numbers: typed, ...common }) => {
      const { numbers } = numbersIn(typed, created_max)
      const [number = ''] = numbers
      try {
        const input = { ...common, ...(numbers.length === 1 ? { number } : { numbers }) }
        const answer = await call(rooms.create, input, { idempotencyKey: key.current })
        forgetLists(rooms.list.path)
        invalidateOthers()
        if ('number' in answer) {
          notify.success(savedSentence('room', undefined))
          go(to.room(answer.id), { replace: true })
        } else onMade({ property_id: common.property_id, numbers })
      } catch (error) {
        if (!keepsKey(error)) key.current = freshKey()
        if (!(error instanceof Refused)) throw error
        throw new Refused(error.status, error.message, inOneField(error.errors), error.retry_after_s)
      }
    },
  )
  useLeaveGuard(form)
  useFormKeys(element, { save: () => void form.save(), leave: () => go(back) })
  return (
    <form ref={element} {...form.bind}>
      <General sentences={form.general} />
      <Section title="Rooms" hint="All alike. You can change single rooms afterwards.">
        {place === undefined && <Lookup form={form} name="property_id" label="Property" to="properties" />}
        <Field
          form={form}
          name="numbers"
          label="Numbers"
          first
          hint="One, or many at once: 101–140, A-01…A-12, Garden suite."
        />
        <Preview typed={form.values['numbers']} />
      </Section>
      <Section title="Service" hint="For guests without a package of their own.">
        <Row>
          <Lookup form={form} name="package_id" label="Package" to="packages" none={rooms.fields.package_id.none} />
        </Row>
      </Section>
      <Section title="Status">
        <StatusField form={form} means={roomStatus} />
      </Section>
      <FormButtons back={back} saving={form.saving}>
        {messages.portal.create}
      </FormButtons>
    </form>
  )
}

const shown_max = 24
const roomsOf = (count: number) => (count === 1 ? '1 room' : `${wholeOf(count)} rooms`)

/** The first ones and the last, so that both ends of a range are visible. */
const ends = (numbers: string[]) =>
  numbers.length <= shown_max ? numbers : [...numbers.slice(0, shown_max - 2), '…', ...numbers.slice(-1)]

function Preview({ typed }: { typed: unknown }) {
  const { numbers } = numbersIn(typeof typed === 'string' ? typed : '', created_max)
  return (
    <div className={styles.preview}>
      {/* Always rendered, so that screen readers announce changes of the count. */}
      <p aria-live="polite">{numbers.length > 0 && `This makes ${roomsOf(numbers.length)}:`}</p>
      {numbers.length > 0 && <ValueList label="Numbers" values={ends(numbers)} />}
    </div>
  )
}

const MadeRooms = ({ made: { property_id: place, numbers }, onMore }: { made: Made; onMore: () => void }) => (
  <JustMade
    title={`${roomsOf(numbers.length)} are ready`}
    note="Guests can be checked in."
    actions={
      <LinkButton kind="primary" icon="rooms" href={to.roomsOf(place)}>
        Show the rooms
      </LinkButton>
    }
    next={
      <Button icon="add" onClick={onMore}>
        More rooms
      </Button>
    }
  >
    <ValueList label="Numbers" values={ends(numbers)} />
  </JustMade>
)
