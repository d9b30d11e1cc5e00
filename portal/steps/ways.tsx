// Ways in: the fields of each way in.
import type { ReactNode } from 'react'
import { authMethods } from '#contract/portals.ts'
import type { SignInStep } from '#portal/design.ts'
import type { Refusal, Texts } from '#portal/texts/en.ts'

type FieldName = keyof Texts['fields']
type WayName = keyof Texts['ways']

/** Attributes for keyboards and for filling in automatically. */
const typing = {
  voucher_code: { dir: 'ltr', autoComplete: 'off', autoCapitalize: 'characters', spellCheck: false, maxLength: 40 },
  voucher_password: { type: 'password', autoComplete: 'off', maxLength: 200 },
  username: { dir: 'auto', autoComplete: 'username', autoCapitalize: 'none', spellCheck: false, maxLength: 200 },
  password: { type: 'password', autoComplete: 'current-password', maxLength: 200 },
  room_number: { dir: 'auto', autoComplete: 'off', spellCheck: false, maxLength: 40 },
  last_name: { dir: 'auto', autoComplete: 'family-name', spellCheck: false, maxLength: 200 },
  email: { dir: 'ltr', type: 'email', autoComplete: 'email', maxLength: 254 },
  mobile_number: { dir: 'ltr', type: 'tel', autoComplete: 'tel', maxLength: 40 },
  conference_code: { dir: 'auto', autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, maxLength: 200 },
} as const satisfies Record<FieldName, object>

/** What a refusal is about: the fields are marked and described by its sentence, and one has the focus. */
export interface Wrong {
  marked: readonly string[]
  focused: string | undefined
}
/** The id of the sentence. */
export const refusal_id = 'refused'

/** For an input with this name. */
export const wrongProps = ({ marked, focused }: Wrong, name: string) =>
  marked.includes(name) ? { 'aria-invalid': true, 'aria-describedby': refusal_id, autoFocus: name === focused } : {}

interface FieldProps {
  texts: Texts
  /** Whether this is the only way in: then its fields are required, which the browser checks. */
  only: boolean
  typed: Record<string, string>
  wrong: Wrong
}

function Field({ name, texts, only, typed, wrong }: FieldProps & { name: FieldName }) {
  return (
    <label className="field">
      <span>{texts.fields[name]}</span>
      <input
        name={name}
        type="text"
        required={only}
        defaultValue={typed[name]}
        {...typing[name]}
        {...wrongProps(wrong, name)}
      />
    </label>
  )
}

function VoucherFields(props: FieldProps) {
  return (
    <>
      <Field {...props} name="voucher_code" />
      <details className="more" open={'voucher_password' in props.typed}>
        <summary>{props.texts.voucher_has_password}</summary>
        <Field {...props} only={false} name="voucher_password" />
      </details>
    </>
  )
}

interface Way {
  name: WayName
  /** The names of its fields. */
  fields: readonly FieldName[]
  Fields?: (asked: FieldProps) => ReactNode
}

/** By method. Known devices have no entry, as they get online without a form. */
const ways = new Map<number, Way>([
  [authMethods.free, { name: 'free', fields: [] }],
  [authMethods.voucher, { name: 'voucher', fields: ['voucher_code', 'voucher_password'], Fields: VoucherFields }],
  [
    authMethods.account,
    {
      name: 'account',
      fields: ['username', 'password'],
      Fields: (asked) => (
        <>
          <Field {...asked} name="username" />
          <Field {...asked} name="password" />
        </>
      ),
    },
  ],
  [
    authMethods.room,
    {
      name: 'room',
      fields: ['room_number', 'last_name'],
      Fields: (asked) => (
        <>
          <Field {...asked} name="room_number" />
          <Field {...asked} name="last_name" />
        </>
      ),
    },
  ],
  [
    authMethods.email,
    {
      name: 'email',
      fields: ['email'],
      Fields: (asked) => (
        <>
          <Field {...asked} name="email" />
          <p className="hint">{asked.texts.email_use}</p>
        </>
      ),
    },
  ],
  [
    authMethods.sms,
    {
      name: 'sms',
      fields: ['mobile_number'],
      Fields: (asked) => (
        <>
          <Field {...asked} name="mobile_number" />
          <p className="hint">{asked.texts.sms_use}</p>
        </>
      ),
    },
  ],
  [
    authMethods.conference,
    { name: 'conference', fields: ['conference_code'], Fields: (asked) => <Field {...asked} name="conference_code" /> },
  ],
])

export interface WaysInProps {
  texts: Texts
  methods: readonly number[]
  /** The method that is open; by default the first. */
  chosen?: number | undefined
  typed: Record<string, string>
  wrong: Wrong
}

/** Refusals that nothing in the form can mend. */
const ofNoField: readonly Refusal[] = ['too_often', 'wait', 'no_more_messages', 'failed', 'unconfirmed']

/**
 * What was not known is wrong in one of the fields of the way in, and only the guest can see in which; what is missing is the first
 * that is empty. Passwords are never shown again, so they are.
 */
export function wrongIn({ refused, method, typed = {} }: Pick<SignInStep, 'refused' | 'method' | 'typed'>): Wrong {
  if (refused === 'terms') return { marked: ['terms'], focused: 'terms' }
  const way = method === undefined ? undefined : ways.get(method)
  if (refused === undefined || !way || ofNoField.includes(refused)) return { marked: [], focused: undefined }
  // Most vouchers have none, so it is in question only where one was sent.
  const fields = way.fields.filter((name) => name !== 'voucher_password' || name in typed)
  const empty = (among: readonly FieldName[]) => among.find((name) => !typed[name]?.trim())
  const marked =
    refused === 'unknown'
      ? fields
      : [refused === 'incomplete' ? empty(fields) : fields[0]].filter((name) => name !== undefined)
  return { marked, focused: empty(marked) ?? marked[0] }
}

/** The ways in that have a form, in the portal's order. */
export const waysOf = (methods: readonly number[]): [method: number, way: Way][] =>
  methods.flatMap((method) => {
    const way = ways.get(method)
    return way ? [[method, way]] : []
  })

/** The field that names the way in that the page opened with, for browsers that show the fields of all of them. */
export const opened_with = 'opened_with'

export function WaysIn({ texts, methods, chosen, typed, wrong }: WaysInProps) {
  const offered = waysOf(methods)
  const [first] = offered
  if (!first) return <p>{texts.known_devices_only}</p>
  if (offered.length === 1) {
    const [method, { Fields }] = first
    return (
      <>
        <input type="hidden" name="method" value={method} />
        {Fields && <Fields texts={texts} only typed={typed} wrong={wrong} />}
      </>
    )
  }
  const open = offered.some(([method]) => method === chosen) ? chosen : first[0]
  return (
    <fieldset className="ways">
      <legend>{texts.choose}</legend>
      <input type="hidden" name={opened_with} value={open} />
      {offered.map(([method, { name, Fields }]) => (
        <div className="way" key={method}>
          <label className="way-name">
            <input type="radio" name="method" value={method} defaultChecked={method === open} />
            <span>{texts.ways[name]}</span>
          </label>
          {Fields && (
            <div className="way-fields">
              <Fields texts={texts} only={false} typed={typed} wrong={wrong} />
            </div>
          )}
        </div>
      ))}
    </fieldset>
  )
}
