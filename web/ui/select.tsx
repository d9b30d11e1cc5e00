// Selects: one or several of many options, found by typing. The first match is highlighted and Enter picks it. At most 100 entries
// are rendered at a time; if there are more than are loaded, typing searches on the server. Until its answer arrives, the matching
// entries among those loaded are shown, none is highlighted, and Enter waits.
import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import { MultiSelect as LibraryMultiSelect, Select as LibrarySelect, type OptionsFilter } from '@mantine/core'
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { say } from '#web/words/forms.ts'
import { Skeleton } from './state.tsx'
import { exactFirst, fits } from './match-text.ts'
import styles from './field.module.css'

export interface Option {
  value: string
  label: string
  /** Shown after the label, and not searched. */
  detail?: string
  disabled?: boolean
  /** It is listed because it is chosen, and not because the search found it. */
  isKept?: boolean
}

/** Entries that are loaded while typing. */
export interface Loaded {
  loading: boolean
  /** There are more than these. */
  more: boolean
  /** Searches on the server; without it, the entries are searched here. */
  search: ((typed: string) => void) | undefined
  /** The search text that the entries are the result of. */
  answers: string
  /** The search failed. */
  failed: boolean
}

interface Common {
  label: string
  /** The label is for screen readers only, if the surroundings already say what it is. */
  unseenLabel?: boolean
  name: string
  options: Option[]
  loaded?: Loaded
  /** Offered if there are no entries at all. */
  create?: { label: string; onPick: () => void } | undefined
  onBlur?: () => void
  error?: string | undefined
  hint?: string | undefined
  required?: boolean
  disabled?: boolean
  placeholder?: string
  /** Whether it may be cleared. */
  clearable?: boolean
  /** Can be searched by typing, however few entries there are. */
  byTyping?: boolean
}

const shown_max = 100
const create_value = ' create'
const more_value = ' more'
const nothing_value = ' nothing'

/** The entries belong to another search text than the one typed: its result has not arrived yet. */
const isLate = ({ loaded }: Common, typed: string): boolean =>
  loaded?.search !== undefined && (loaded.loading || loaded.answers !== typed.trim())

/** The entries and what follows them: that there are more, or how to create the first. */
function entries(props: Common, typed: string): Option[] {
  const { options, loaded, create } = props
  if (options.length === 0 && create && !loaded?.loading && typed.trim() === '')
    return [{ value: create_value, label: create.label }]
  if (options.length === 0) return [emptyEntry(props, typed)]
  if (!loaded?.more) return options
  return [...options, { value: more_value, label: say('choose-more'), disabled: true }]
}

function nothing(props: Common, typed: string): string {
  const word = typed.trim()
  if (props.loaded?.failed) return say('choose-failed')
  if (props.loaded?.loading && word === '') return say('loading-more')
  if (isLate(props, typed)) return say('choose-looking', { word })
  return word === '' ? say('choose-none') : say('choose-nothing-for', { word })
}

const emptyEntry = (props: Common, typed: string): Option => ({
  value: nothing_value,
  label: nothing(props, typed),
  disabled: true,
})

/**
 * Everything the server has found is kept, whatever it matched by: a word without its accents, the middle of a name. "Nothing
 * found" is an entry, too, as the list must not be empty.
 */
const filterOf =
  (props: Common, typed: string): OptionsFilter =>
  (input) => {
    const isAnswer = props.loaded?.search !== undefined && !isLate(props, typed)
    const options = input.options.filter((option) => 'label' in option)
    const kept = new Set(props.options.filter(({ isKept }) => isKept).map(({ value }) => value))
    const found = options.filter(({ value, label }) => (isAnswer && !kept.has(value)) || fits(label, input.search))
    const best = exactFirst(found, input.search, ({ label }) => label)
    return best.length > 0 ? (isAnswer ? best : best.slice(0, input.limit)) : [emptyEntry(props, typed)]
  }

const shared = (props: Common, typed: string) => {
  const {
    options,
    loaded,
    create: _create,
    required,
    hint,
    label,
    unseenLabel = false,
    byTyping = false,
    ...rest
  } = props
  return {
    ...rest,
    ...(unseenLabel ? { 'aria-label': label } : { label }),
    data: entries(props, typed),
    description: hint,
    withAsterisk: required ?? false,
    'aria-required': required ?? false,
    searchable: byTyping || options.length > 7 || loaded?.search !== undefined,
    filter: filterOf(props, typed),
    ...(options.some(({ detail }) => detail) && { renderOption: Detailed }),
    // With the keyboard it opens by typing or by an arrow key.
    openOnFocus: false,
    limit: shown_max + 1,
    selectFirstOptionOnDropdownOpen: true,
    // The list itself scrolls, so that it is the element that the field controls (`aria-controls`).
    withScrollArea: false,
    // The library gives it a background, for fields whose text runs below it.
    clearButtonProps: { style: { background: 'none' } },
    comboboxProps: { shadow: 'md' as const, keepMounted: false, transitionProps: { duration: 80 } },
    classNames: {
      root: styles.field,
      label: styles.label,
      input: styles.input,
      error: styles.error,
      description: styles.hint,
      options: styles.options,
    },
  }
}

const Detailed = ({ option }: { option: Option }) => (
  <>
    {option.label} {option.detail && <span className={styles.detail}>{option.detail}</span>}
  </>
)

/** Gives up after this many renders: the library never announces a list without entries. */
const renders_max = 60

/**
 * Whether the list is open. The library learns the list's id once it is rendered, and sets `aria-controls` and `aria-expanded`
 * only with the field's next render; so the field is rendered again until they are set. `field` is the ref of an element around it.
 */
function useOpening() {
  const [open, setOpen] = useState(false)
  const [renders, renderAgain] = useState(0)
  const field = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const announced = field.current?.querySelector('[aria-expanded="true"]')
    if (!open || announced || renders >= renders_max) return
    const frame = requestAnimationFrame(() => renderAgain((times) => times + 1))
    return () => cancelAnimationFrame(frame)
  }, [open, renders])
  useEffect(() => {
    if (!open) renderAgain(0)
  }, [open])
  return { open, field, onDropdownOpen: () => setOpen(true), onDropdownClose: () => setOpen(false) }
}

/**
 * Whether to highlight the first entry. The library does so when this turns true, but not when other entries arrive for the
 * same text: so it is false for the one render that puts them in place.
 */
function useFirstHighlighted(options: Option[]): boolean {
  const present = options.map(({ value }) => value).join(' ')
  const [rendered, setRendered] = useState(present)
  useEffect(() => {
    const frame = requestAnimationFrame(() => setRendered(present))
    return () => cancelAnimationFrame(frame)
  }, [present])
  return rendered === present
}

/** The number of matches, for screen readers. */
function MatchCount({ typed, late, ...props }: Common & { typed: string; late: boolean }) {
  const { options, loaded } = props
  const fitting = loaded?.search ? options : options.filter(({ label }) => fits(label, typed))
  return (
    <span role="status" className="unseen">
      {loaded?.loading || late
        ? ''
        : say(loaded?.more ? 'choose-count-of-more' : 'choose-count', { count: fitting.length })}
    </span>
  )
}

/** Enter that is pressed before the result has arrived picks its first entry then, unless the user types on or leaves. */
function useEnterWaits(field: RefObject<HTMLDivElement | null>, typed: string, late: boolean, ready: boolean) {
  const [pending, setPending] = useState<string>()
  const isCancelled = pending !== undefined && pending !== typed
  useEffect(() => {
    if (isCancelled) setPending(undefined)
    if (isCancelled || pending === undefined || late || !ready) return
    setPending(undefined)
    const list = field.current?.querySelector('[aria-controls]')?.getAttribute('aria-controls')
    const highlighted = list ? document.getElementById(list)?.querySelector('[data-combobox-selected]') : null
    if (highlighted instanceof HTMLElement) highlighted.click()
  }, [isCancelled, pending, late, ready, field])
  return {
    onKeyDownCapture: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !late || event.nativeEvent.isComposing) return
      event.preventDefault()
      event.stopPropagation()
      if (typed.trim() !== '') setPending(typed)
    },
    onBlur: () => setPending(undefined),
  }
}

export function Select({
  value,
  onChange,
  ...rest
}: Common & { value: string | null; onChange: (value: string | null) => void }) {
  const [typed, setTyped] = useState('')
  const { open, field, ...opening } = useOpening()
  const settled = useFirstHighlighted(rest.options)
  const late = isLate(rest, typed)
  const enter = useEnterWaits(field, typed, late && open, settled)
  // Its name has not been loaded yet, and its id would mean nothing to the user.
  const nameless = value !== null && !rest.options.some((option) => option.value === value)
  return (
    <div ref={field} className={styles.select} {...enter}>
      <LibrarySelect
        {...shared(rest, typed)}
        value={nameless ? null : value}
        onChange={(next) => (next === create_value ? rest.create?.onPick() : onChange(next))}
        onSearchChange={(text) => {
          // The library also reports the label of the chosen entry here, which is not a search.
          const word = rest.options.some((option) => option.value === value && option.label === text) ? '' : text
          setTyped(word)
          rest.loaded?.search?.(word)
        }}
        {...opening}
        selectFirstOptionOnChange={settled && !late}
        clearable={(rest.clearable ?? false) && !rest.disabled}
        allowDeselect={rest.clearable ?? false}
        withCheckIcon
        checkIconPosition="right"
        {...(nameless
          ? {
              placeholder: '',
              leftSection: <Skeleton width={120} label={say('loading')} />,
              leftSectionWidth: 144,
              'aria-busy': true,
            }
          : {})}
      />
      {open && <MatchCount {...rest} typed={typed} late={late} />}
    </div>
  )
}

export function MultiSelect({
  value,
  onChange,
  ...rest
}: Common & { value: string[]; onChange: (value: string[]) => void }) {
  const [typed, setTyped] = useState('')
  const { open, field, ...opening } = useOpening()
  const settled = useFirstHighlighted(rest.options)
  const late = isLate(rest, typed)
  const enter = useEnterWaits(field, typed, late && open, settled)
  const common = shared(rest, typed)
  // Those whose names have not been loaded yet: their ids would mean nothing to the user.
  const named = new Set(rest.options.map((option) => option.value))
  const nameless = value.filter((one) => !named.has(one)).map((one) => ({ value: one, label: '…' }))
  return (
    <div ref={field} className={styles.select} {...enter}>
      <LibraryMultiSelect
        {...common}
        data={[...common.data, ...nameless]}
        classNames={{ ...common.classNames, pillsList: styles.pills, inputField: styles.pillsField }}
        value={value}
        onChange={(next) => (next.includes(create_value) ? rest.create?.onPick() : onChange(next))}
        onSearchChange={(text) => {
          setTyped(text)
          rest.loaded?.search?.(text)
        }}
        {...opening}
        selectFirstOptionOnChange={settled && !late}
        clearable={!rest.disabled}
        searchable
        hidePickedOptions
      />
      {open && <MatchCount {...rest} typed={typed} late={late} />}
    </div>
  )
}
