// Own calendar: reads a calendar file, or pasted lines while one types.
import { useQuery } from '@tanstack/react-query'
import * as suggestions from '#contract/holiday-suggestions.ts'
import { calendar_chars_max } from '#contract/holiday-suggestions.ts'
import { call } from '#web/kit/call/call.ts'
import { useDebounced } from '#web/kit/call/options.ts'
import { keys } from '#web/kit/call/query-client.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { useTypedState } from '#web/kit/form/typed.ts'
import { DropZone } from '#web/ui/drop-zone.tsx'
import { Notice, Skeleton } from '#web/ui/state.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { Suggestions } from './suggestions.tsx'
import styles from './holidays.module.css'

const typing_ms = 400

export function OwnCalendar({ property_id, close }: { property_id: number; close: () => void }) {
  const [text, setText] = useTypedState('calendar', '')
  const asked = useDebounced(text.trim(), typing_ms)
  const { data, error, refetch } = useQuery({
    queryKey: keys.list(suggestions.readHolidays.path, { property_id, text: asked }),
    queryFn: ({ signal }) => call(suggestions.readHolidays, { property_id, text: asked }, { signal }),
    enabled: asked !== '',
    staleTime: 0,
    retry: false,
  })
  const read = async ([file]: File[]) => {
    if (!file) return
    if (file.size > calendar_chars_max)
      return notify.error('This file is too large for a calendar. Please leave past years out.')
    setText(await file.text())
  }
  const isSettled = asked === text.trim()
  return (
    <>
      <DropZone label="Calendar file" types={['.ics', '.txt', '.csv']} onFiles={(files) => void read(files)}>
        A calendar file (.ics), or a list
      </DropZone>
      <TextArea
        label="Or paste a list"
        name="text"
        rows={5}
        value={text}
        onChange={setText}
        placeholder={'Christmas break 2026-12-19 – 2027-01-03\nSpring half term 15-19 February 2027'}
        hint="One holiday a line."
      />
      {error && isSettled ? (
        <LoadFailed error={error} again={() => void refetch()} />
      ) : asked === '' ? null : !data || !isSettled ? (
        <Skeleton height={120} label="Reading it" />
      ) : (
        <>
          {data.meta.problems.length > 0 && (
            <Notice tone="error">
              Not read:
              <ul className={styles.problems}>
                {data.meta.problems.slice(0, 20).map(({ line, message }) => (
                  <li key={line}>
                    {line}. {message}
                  </li>
                ))}
              </ul>
            </Notice>
          )}
          <Suggestions
            key={asked}
            of={data.data}
            property_id={property_id}
            close={close}
            empty="No days were found in it."
          />
        </>
      )}
    </>
  )
}
