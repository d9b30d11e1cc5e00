// Required: whether all users of the customer need a second factor; for its editors.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as security from '#contract/security.ts'
import { call } from '#web/kit/call/call.ts'
import { showAnswer } from '#web/kit/call/query-client.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { Skeleton } from '#web/ui/state.tsx'
import { Switch } from '#web/ui/switch.tsx'

const key = ['security']
const peopleOf = (count: number) => (count === 1 ? '1 person' : `${count} people`)

export function Required() {
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(security.get, {}, { signal }),
  })
  const [busy, setBusy] = useState(false)
  if (error && !data) return <LoadFailed error={error} again={() => void refetch()} />
  if (!data) return <Skeleton height={44} />
  const { people, people_without } = data
  const change = async (second_factor_required: boolean) => {
    // Somebody may have joined since the numbers were loaded.
    const { people, people_without } = (await refetch()).data ?? data
    const sure =
      !second_factor_required ||
      people_without === 0 ||
      (await confirm({
        title: 'Ask everybody for a second factor?',
        description: `${peopleOf(people_without)} of ${people} will have to set one up first, from their next click on.`,
        accept: 'Ask everybody',
      }))
    if (!sure) return
    setBusy(true)
    try {
      const answer = await call(security.update, { second_factor_required })
      showAnswer(key, () => answer)
      notify.success(second_factor_required ? 'Everybody now needs a second factor' : 'It is now up to each person')
    } catch (error) {
      notify.failure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Switch
      label="Everybody signs in with a second factor"
      hint={`${people - people_without} of ${people} have one.`}
      name="second_factor_required"
      checked={data.second_factor_required}
      disabled={busy}
      onChange={(checked) => void change(checked)}
    />
  )
}
