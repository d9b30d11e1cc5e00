// useResource: one form for creating and updating a record, depending on whether there is an id. Create sends everything with an
// Idempotency-Key, update sends only what was changed, so that two people do not undo each other's work.
//
//   const form = useResource(groups, GroupInput, id)
//   <ResourceForm form={form} noun="group" onDone={(group) => go(to.groups())}>
//     <Field form={form} name="name" label="Name" /> …
//   </ResourceForm>
import { useQuery } from '@tanstack/react-query'
import { notFound } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { changedMeanwhile, refusals } from '#contract/errors.ts'
import { labelOf, type Fields } from '#contract/fields.ts'
import { useMayCall } from '#web/session/may.ts'
import { callKind, Refused, sentenceOf } from '#web/kit/call/call.ts'
import { changedNames, defaultsOf, valuesOf, type Schema, type Values } from './form-state.ts'
import { freshKey, keepsKey } from '#web/kit/call/idempotency.ts'
import { forgetLists, keys, queryClient, showChange, invalidateOthers } from '#web/kit/call/query-client.ts'
import { say } from '#web/words/forms.ts'
import { useTyped } from './typed.ts'
import { useUnkeptForm, type Form, type Sending } from './use-form.ts'

/** The part of a contract module that a form needs. */
export interface RecordContract {
  list?: Endpoint
  get: Endpoint
  /** The labels of its fields. */
  fields?: Fields
}
/** A resource whose records can also be changed. */
export interface ResourceContract extends RecordContract {
  create?: Endpoint
  update: Endpoint
}
export type RecordOf<M extends RecordContract> =
  M['get'] extends Endpoint<z.ZodType, infer A> ? (z.output<A> extends { data: infer D } ? D : never) : never

/** Somebody else has changed the record that is being edited. */
export interface Overtaken {
  /** Who did what. */
  sentence: string
  /** The fields that both sides have changed, with the server's present values. */
  theirs: Values
}

export interface ResourceFormState<S extends Schema, R> extends Form<S> {
  id: number | undefined
  /** The server's record; undefined for a new one and while it loads. */
  record: R | undefined
  /** The result of the last save, such as the created record with its id. */
  saved: () => R | undefined
  /** There is nothing to save: the record is stored as it stands here, and a new one is about to be left. */
  stored: () => boolean
  overtaken: Overtaken | undefined
  /** Resolve the conflict: with their values, or with those typed here, which the next save sends. */
  takeTheirs: () => void
  keepMine: () => void
  state: 'ready' | 'loading' | 'missing' | 'failed'
  error: unknown
  reload: () => void
}

const recordQuery = <M extends RecordContract>(contract: M, id: number | undefined) => ({
  queryKey: keys.one(contract.get.path, id ?? 0),
  queryFn: ({ signal }: { signal: AbortSignal }) => callKind<RecordOf<M>>(contract.get, { id }, { signal }),
  enabled: id !== undefined,
})

/** A record for reading, with its error and a way to reload. */
export function useRecordState<M extends RecordContract>(contract: M, id: number) {
  const { data, error, refetch } = useQuery(recordQuery(contract, id))
  return { record: data, error, reload: () => void refetch() }
}

/**
 * A record for reading, such as for the name above a detail's tabs; undefined while it loads, or while it is not known which. Shared
 * with its form. Throws if there is nothing to show, so that another page replaces the screen: 'This page could not be found' for a
 * record that is gone or out of reach, otherwise the reason with a way to try again.
 */
export function useRecord<M extends RecordContract>(contract: M, id: number | undefined): RecordOf<M> | undefined {
  const { data, error } = useQuery(recordQuery(contract, id))
  if (data === undefined && error) throw insteadOf(error)
  return data
}

/** What a screen throws that cannot show its record. */
export const insteadOf = (error: unknown): unknown => (isMissing(error) ? notFound() : error)
const isMissing = (error: unknown): error is Refused =>
  error instanceof Refused && error.status === refusals.notFound.status

const unlocked = {}

/** Holds the result of a save, so that it can be read right after it, before the next render. */
function holder<T>() {
  let value: T | undefined
  return {
    get: () => value,
    set: (next: T) => {
      value = next
    },
  }
}

/**
 * @param contract the resource's contract module
 * @param schema   its input schema, or a function of the values that returns it
 * @param id       absent: a new record
 * @param preset   known values of a new record: `{ property_id: 7 }`
 * @param locks    fields that this user may not write, with the reason
 */
export function useResource<M extends ResourceContract, S extends Schema>(
  contract: M,
  schema: S | ((values: Values) => S),
  id?: number,
  preset: Partial<z.input<S>> = {},
  locks: Readonly<Record<string, string>> = unlocked,
): ResourceFormState<S, RecordOf<M>> {
  type R = RecordOf<M>
  const maySave = useMayCall(id === undefined && contract.create ? contract.create : contract.update)
  const path = contract.get.path
  const loaded = useQuery({
    ...recordQuery(contract, id),
    staleTime: 0,
    // Shows changes by others when the user comes back to the window.
    refetchOnWindowFocus: 'always',
  })
  const [answer] = useState(holder<R>)
  const [overtaken, setOvertaken] = useState<Overtaken>()
  const key = useRef(freshKey())

  async function create(values: z.input<S>): Promise<void> {
    if (!contract.create) throw new Refused(refusals.notFound.status, 'This cannot be created here.')
    const given = Object.fromEntries(Object.entries(values).filter(([name]) => !(name in locks)))
    try {
      answer.set(await callKind<R>(contract.create, given, { idempotencyKey: key.current }))
    } catch (error) {
      // After a definite refusal nothing was stored, and the corrected form is a new request. Without an answer it may be a repeat.
      if (!keepsKey(error)) key.current = freshKey()
      throw error
    }
    key.current = freshKey()
    if (contract.list) forgetLists(contract.list.path)
  }

  async function update(of: number, values: Values, { changed, start }: Sending): Promise<Values> {
    const pick = (from: Values) => Object.fromEntries(changed.map((name) => [name, from[name] ?? null]))
    try {
      const after = await callKind<R>(contract.update, { id: of, ...pick(values), was: pick(start) })
      answer.set(after)
      setOvertaken(undefined)
      showChange({ one: path, ...(contract.list ? { list: contract.list.path } : {}) }, of, after)
      return valuesOf(form.schema, after)
    } catch (error) {
      if (isOvertaken(error)) {
        const theirs = await queryClient.fetchQuery({ ...recordQuery(contract, of), staleTime: 0 })
        mergeRecord(theirs, error.message)
        // Without errors by field: the notice asks which of the two values to keep.
        throw new Refused(error.status, error.message)
      }
      if (isMissing(error)) throw new Refused(error.status, `${sentenceOf(error)} ${say('perhaps-deleted')}`)
      throw error
    }
  }

  const form = useUnkeptForm(
    schema,
    id === undefined ? { ...defaultsOf(typeof schema === 'function' ? schema(preset) : schema), ...preset } : {},
    async (values, sending) => {
      const stored = id === undefined ? await create(values) : await update(id, values, sending)
      invalidateOthers()
      return stored
    },
  )

  const { reset, rebase } = form
  const [filled, setFilled] = useState<unknown>()
  /** Takes over the server's values beneath what has been typed. */
  const mergeRecord = (record: R, sentence: string) => {
    const values = valuesOf(form.schema, record)
    const clashes = rebase(values)
    setFilled(record)
    if (clashes.length > 0)
      setOvertaken({ sentence, theirs: Object.fromEntries(clashes.map((name) => [name, values[name]])) })
  }
  useEffect(() => {
    if (loaded.data === undefined || filled === loaded.data) return
    if (filled !== undefined) return mergeRecord(loaded.data, changedMeanwhile())
    setFilled(loaded.data)
    reset(valuesOf(form.schema, loaded.data))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the rest only uses the form's state at that moment
  }, [loaded.data, filled])

  const filledIn = id === undefined || filled !== undefined
  useKeptTyping(form, `${path} ${id ?? 'new'}`, filledIn && maySave, (theirs) => {
    setOvertaken({ sentence: changedMeanwhile(), theirs })
  })
  return {
    ...form,
    readOnly: !maySave,
    locks,
    labelOf: (name) => labelOf(name, contract.fields),
    fields: contract.fields ?? {},
    id,
    record: id === undefined ? undefined : loaded.data,
    saved: answer.get,
    stored: () => (id !== undefined || answer.get() !== undefined) && !form.unsaved(),
    overtaken,
    takeTheirs: () => {
      form.refill(overtaken?.theirs ?? {})
      setOvertaken(undefined)
    },
    keepMine: () => {
      form.refill({})
      setOvertaken(undefined)
    },
    state: filledIn ? 'ready' : loaded.isError ? (isMissing(loaded.error) ? 'missing' : 'failed') : 'loading',
    error: loaded.error,
    reload: () => void loaded.refetch(),
  }
}

/** What was typed stands there again once the form is `ready`. `onClash` is given the values that others have changed meanwhile. */
function useKeptTyping(form: Form, name: string, ready: boolean, onClash: (theirs: Values) => void) {
  useTyped(name, ready, {
    now: () => (form.unsaved() ? form.typed() : undefined),
    back(kept) {
      const { values, refill } = form
      const theirs = changedNames(kept.start, pickOf(values, Object.keys(kept.start)))
      refill(kept.values)
      const clashes = changedNames(pickOf(values, theirs), pickOf(kept.values, theirs))
      if (clashes.length > 0) onClash(pickOf(values, clashes))
    },
  })
}
const pickOf = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.map((name) => [name, values[name]]))

/** Refused because a field no longer has the value that it had when the form was loaded. */
const isOvertaken = (error: unknown): error is Refused =>
  error instanceof Refused && error.status === refusals.clash.status && Object.keys(error.errors).length > 0
