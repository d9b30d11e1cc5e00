// useResource: one form for creating and updating a record; the id decides. Create sends everything with an
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
import { callKind, Refused } from '#web/kit/call/call.ts'
import { defaultsOf, valuesOf, type Schema, type Values } from './form-state.ts'
import { freshKey, keepsKey } from '#web/kit/call/idempotency.ts'
import { forgetLists, keys, queryClient, showChange, staleOthers } from '#web/kit/call/query-client.ts'
import { useForm, type Form, type Sending } from './use-form.ts'

/** The part of a contract module that a form needs. */
export interface RecordContract {
  list?: Endpoint
  get: Endpoint
  /** What its fields are called. */
  fields?: Fields
}
/** One that can be changed, too. */
export interface ResourceContract extends RecordContract {
  create?: Endpoint
  update: Endpoint
}
export type RecordOf<M extends RecordContract> =
  M['get'] extends Endpoint<z.ZodType, infer A> ? (z.output<A> extends { data: infer D } ? D : never) : never

/** Somebody else has changed what is being edited here. */
export interface Overtaken {
  /** Who, and what happened, in a sentence. */
  said: string
  /** The fields that both sides have changed, with what they hold now. */
  theirs: Values
}

export interface ResourceFormState<S extends Schema, R> extends Form<S> {
  id: number | undefined
  /** What the server has; undefined for a new record and while it loads. */
  record: R | undefined
  /** What the last save answered: the created record's id is here. */
  saved: () => R | undefined
  overtaken: Overtaken | undefined
  /** Ends that: with their values, or with what is typed here, which the next save sends. */
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

/** A record for reading, with what there is to say while it is not there. */
export function useRecordState<M extends RecordContract>(contract: M, id: number) {
  const { data, error, refetch } = useQuery(recordQuery(contract, id))
  return { record: data, error, reload: () => void refetch() }
}

/**
 * A record for reading, such as the name above a detail's tabs; undefined while it loads. Shared with its form. Where there
 * is none to show, another page opens in place of the screen: one that is gone, or someone else's, 'This page could not be
 * found'; one that could not be loaded, why, and another try.
 */
export function useRecord<M extends RecordContract>(contract: M, id: number): RecordOf<M> | undefined {
  const { data, error } = useQuery(recordQuery(contract, id))
  if (data === undefined && error) throw insteadOf(error)
  return data
}

/** What a screen throws that cannot show the record that it is about. */
export const insteadOf = (error: unknown): unknown => (isMissing(error) ? notFound() : error)
const isMissing = (error: unknown) => error instanceof Refused && error.status === refusals.notFound.status

const unlocked = {}

/** Holds what a save answered, for whoever asks right after it. */
function kept<T>() {
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
 * @param schema   its input schema, or how it follows from what is filled in
 * @param id       absent: a new record
 * @param preset   fields of a new record that are known already: `{ property_id: 7 }`
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
    // What somebody else has changed meanwhile shows when one comes back to the window.
    refetchOnWindowFocus: 'always',
  })
  const [answer] = useState(kept<R>)
  const [overtaken, setOvertaken] = useState<Overtaken>()
  const key = useRef(freshKey())

  async function create(values: z.input<S>): Promise<void> {
    if (!contract.create) throw new Refused(refusals.notFound.status, 'This cannot be created here.')
    const given = Object.fromEntries(Object.entries(values).filter(([name]) => !(name in locks)))
    try {
      answer.set(await callKind<R>(contract.create, given, { idempotencyKey: key.current }))
    } catch (error) {
      // A clear refusal stored nothing: the mended form is another request. Without an answer, it may be the same one.
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
        meet(theirs, error.message)
        // No field is wrong; the notice asks which of the two holds.
        throw new Refused(error.status, error.message)
      }
      throw error
    }
  }

  const form = useForm(
    schema,
    id === undefined ? { ...defaultsOf(typeof schema === 'function' ? schema(preset) : schema), ...preset } : {},
    async (values, sending) => {
      const stored = id === undefined ? await create(values) : await update(id, values, sending)
      staleOthers()
      return stored
    },
  )

  const { reset, rebase } = form
  const [filled, setFilled] = useState<unknown>()
  /** What the server has now, under what is being typed here. */
  const meet = (record: R, said: string) => {
    const values = valuesOf(form.schema, record)
    const clashes = rebase(values)
    setFilled(record)
    if (clashes.length > 0)
      setOvertaken({ said, theirs: Object.fromEntries(clashes.map((name) => [name, values[name]])) })
  }
  useEffect(() => {
    if (loaded.data === undefined || filled === loaded.data) return
    if (filled !== undefined) return meet(loaded.data, changedMeanwhile())
    setFilled(loaded.data)
    reset(valuesOf(form.schema, loaded.data))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the rest only touches the form as it is at that moment
  }, [loaded.data, filled])

  const filledIn = id === undefined || filled !== undefined
  return {
    ...form,
    readOnly: !maySave,
    locks,
    labelOf: (name) => labelOf(name, contract.fields),
    id,
    record: id === undefined ? undefined : loaded.data,
    saved: answer.get,
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

/** Refused because a field no longer holds what it held when this form was filled. */
const isOvertaken = (error: unknown): error is Refused =>
  error instanceof Refused && error.status === refusals.clash.status && Object.keys(error.errors).length > 0
