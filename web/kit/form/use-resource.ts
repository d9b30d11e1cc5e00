// useResource: one form for creating and updating a record; the id decides. Create sends everything with an
// Idempotency-Key, update sends only what was changed, so that two people do not undo each other's work.
//
//   const form = useResource(groups, groups.GroupInput, id)
//   <ResourceForm form={form} noun="group" onDone={(group) => go(to.groups())}> <Field form={form} name="name" label="Name" /> … </ResourceForm>
import { useQuery } from '@tanstack/react-query'
import { notFound } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { refusals } from '#contract/errors.ts'
import { useEditor } from '#web/session/session.ts'
import { call, Refused } from '#web/kit/call/call.ts'
import { defaultsOf, valuesOf, type Schema, type Values } from './form-state.ts'
import { freshKey, keepsKey } from '#web/kit/call/idempotency.ts'
import { forgetLists, keys, patchRow, queryClient, staleOthers } from '#web/kit/call/query-client.ts'
import { useForm, type Form } from './use-form.ts'

/** The part of a contract module that a form needs. */
export interface ResourceContract {
  list?: Endpoint
  get: Endpoint
  create?: Endpoint
  update: Endpoint
}
export type RecordOf<M extends ResourceContract> =
  M['get'] extends Endpoint<z.ZodType, infer A> ? (z.output<A> extends { data: infer D } ? D : never) : never

export interface ResourceFormState<S extends Schema, R> extends Form<S> {
  id: number | undefined
  /** What the server has; undefined for a new record and while it loads. */
  record: R | undefined
  /** What the last save answered: the created record's id is here. */
  saved: () => R | undefined
  state: 'ready' | 'loading' | 'missing' | 'failed'
  error: unknown
  reload: () => void
}

const recordQuery = <M extends ResourceContract>(contract: M, id: number | undefined) => ({
  queryKey: keys.one(contract.get.path, id ?? 0),
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    call(contract.get, { id }, { signal }) as unknown as Promise<RecordOf<M>>,
  enabled: id !== undefined,
})

/**
 * A record for reading, such as the name above a detail's tabs; undefined while it loads. Shared with its form. One that
 * is gone, or someone else's, opens the page 'This page could not be found' in place of the screen.
 */
export function useRecord<M extends ResourceContract>(contract: M, id: number): RecordOf<M> | undefined {
  const { data, error } = useQuery(recordQuery(contract, id))
  if (data === undefined && error instanceof Refused && error.status === refusals.notFound.status) throw notFound()
  return data
}

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
 * @param schema   its input schema; with `.superRefine` for rules across fields
 * @param id       absent: a new record
 * @param preset   fields of a new record that are known already: `{ property_id: 7 }`
 */
export function useResource<M extends ResourceContract, S extends Schema>(
  contract: M,
  schema: S,
  id?: number,
  preset: Partial<z.input<S>> = {},
): ResourceFormState<S, RecordOf<M>> {
  type R = RecordOf<M>
  const editor = useEditor()
  const path = contract.get.path
  const loaded = useQuery({
    ...recordQuery(contract, id),
    // A form is filled once and not under someone's hands; it is asked anew each time it opens.
    staleTime: 0,
  })
  const [answer] = useState(kept<R>)
  const key = useRef(freshKey())

  const form = useForm(
    schema,
    id === undefined ? { ...defaultsOf(schema), ...preset } : {},
    async (values, changed) => {
      if (id === undefined) {
        if (!contract.create) throw new Refused(404, 'This cannot be created here.')
        try {
          const made = await call(contract.create, values as never, { idempotencyKey: key.current })
          answer.set(made)
        } catch (error) {
          // A clear refusal stored nothing: the mended form is another request. Without an answer, it may be the same one.
          if (!keepsKey(error)) key.current = freshKey()
          throw error
        }
        key.current = freshKey()
        if (contract.list) forgetLists(contract.list.path)
      } else {
        const changes = Object.fromEntries(changed.map((name) => [name, (values as Values)[name] ?? null]))
        const after = (await call(contract.update, { id, ...changes })) as unknown as R
        answer.set(after)
        queryClient.setQueryData(keys.one(path, id), after)
        if (contract.list) patchRow(contract.list.path, id, after)
      }
      staleOthers()
    },
  )

  const { reset, dirty } = form
  const [filled, setFilled] = useState<unknown>()
  useEffect(() => {
    if (loaded.data === undefined || filled === loaded.data) return
    if (filled !== undefined && dirty && answer.get() !== loaded.data) return
    setFilled(loaded.data)
    reset(valuesOf(schema, loaded.data))
  }, [loaded.data, filled, dirty, reset, schema, answer])

  const filledIn = id === undefined || filled !== undefined
  return {
    ...form,
    readOnly: !editor,
    id,
    record: id === undefined ? undefined : loaded.data,
    saved: answer.get,
    state: filledIn
      ? 'ready'
      : loaded.isError
        ? loaded.error instanceof Refused && loaded.error.status === 404
          ? 'missing'
          : 'failed'
        : 'loading',
    error: loaded.error,
    reload: () => void loaded.refetch(),
  }
}
