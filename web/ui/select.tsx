// Selects: one or several of many, found by typing. The first match is lit and Enter takes it. At most 100 entries are
// drawn at a time; where there are more than are loaded, what is typed is asked of whoever has them. Until the answer is
// there, those of the loaded that fit are shown, none of them is lit, and Enter waits.
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
import { Skeleton } from './state.tsx'
import { exactFirst, fits } from './typed.ts'
import styles from './field.module.css'

export interface Option {
  value: string
  label: string
  disabled?: boolean
  /** It stands here because it is chosen, and not as an answer. */
  isKept?: boolean
}

/** Entries that are loaded as one types. */
export interface Loaded {
  loading: boolean
  /** There are more than these. */
  more: boolean
  /** Asks for what has been typed; without it, the entries are searched here. */
  search: ((typed: string) => void) | undefined
  /** The word that the entries are the answer to. */
  answers: string
  /** What was typed could not be asked. */
  failed: boolean
}

interface Common {
  label: string
  /** Read out only, where what stands around says what it is. */
  unseenLabel?: boolean
  name: string
  options: Option[]
  loaded?: Loaded
  /** Offered where there is no entry at all. */
  create?: { label: string; onPick: () => void } | undefined
  onBlur?: () => void
  error?: string | undefined
  hint?: string | undefined
  required?: boolean
  disabled?: boolean
  placeholder?: string
  /** Whether it may be emptied. */
  clearable?: boolean
  /** One types into it, however few there are. */
  byTyping?: boolean
}

const shown_max = 100
const create_value = ' create'
const more_value = ' more'
const nothing_value = ' nothing'

/** The entries answer another word than the one that is typed: the answer to that is still on its way. */
const isLate = ({ loaded }: Common, typed: string): boolean =>
  loaded?.search !== undefined && (loaded.loading || loaded.answers !== typed.trim())

/** With what stands after the entries: that there are more, or how to make the first. */
function entries(props: Common, typed: string): Option[] {
  const { options, loaded, create } = props
  if (options.length === 0 && create && !loaded?.loading && typed.trim() === '')
    return [{ value: create_value, label: create.label }]
  if (options.length === 0) return [emptyEntry(props, typed)]
  if (!loaded?.more) return options
  return [...options, { value: more_value, label: 'More than these: type to find one', disabled: true }]
}

function nothing(props: Common, typed: string): string {
  const word = typed.trim()
  if (props.loaded?.failed) return 'This could not be looked up'
  if (props.loaded?.loading && word === '') return 'Loading…'
  if (isLate(props, typed)) return `Looking for “${word}”…`
  return word === '' ? 'Nothing here yet' : `Nothing found for “${word}”`
}

const emptyEntry = (props: Common, typed: string): Option => ({
  value: nothing_value,
  label: nothing(props, typed),
  disabled: true,
})

/**
 * What the server has found fits, whatever it was found by: a word without its accents, the middle of a name. That there is
 * nothing is an entry, too: a list must have some.
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
    // By the keyboard it opens when one types or asks for it.
    openOnFocus: false,
    limit: shown_max + 1,
    selectFirstOptionOnDropdownOpen: true,
    // The list itself scrolls, so that it is known as what the field controls.
    withScrollArea: false,
    // The library gives it a ground of its own, for fields whose text runs below it.
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

/** A list without entries is never told of. */
const drawn_max = 60

/**
 * Whether the list is open. The library learns the list's id once that is drawn, and tells readers of it (`aria-controls`,
 * `aria-expanded`) when the field is drawn the next time; so it is drawn again until it says so. `field` is around it.
 */
function useOpening() {
  const [open, setOpen] = useState(false)
  const [drawn, drawAgain] = useState(0)
  const field = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const told = field.current?.querySelector('[aria-expanded="true"]')
    if (!open || told || drawn >= drawn_max) return
    const frame = requestAnimationFrame(() => drawAgain((times) => times + 1))
    return () => cancelAnimationFrame(frame)
  }, [open, drawn])
  useEffect(() => {
    if (!open) drawAgain(0)
  }, [open])
  return { open, field, onDropdownOpen: () => setOpen(true), onDropdownClose: () => setOpen(false) }
}

/**
 * Whether the first entry is to be lit. The library lights it when this turns true, but not when other entries come for
 * what has been typed already: then it is false for the one draw that puts them in place.
 */
function useFirstLit(options: Option[]): boolean {
  const present = options.map(({ value }) => value).join(' ')
  const [drawn, setDrawn] = useState(present)
  useEffect(() => {
    const frame = requestAnimationFrame(() => setDrawn(present))
    return () => cancelAnimationFrame(frame)
  }, [present])
  return drawn === present
}

/** How many fit, for those who cannot see the list. */
const Told = ({ options, loaded, late }: Common & { late: boolean }) => (
  <span role="status" className="unseen">
    {loaded?.loading || late ? '' : `${options.length}${loaded?.more ? ' of more' : ''} to choose from`}
  </span>
)

/** Enter that is pressed before the answer is there takes its first entry once it is; typing on or leaving calls it off. */
function useEnterWaits(field: RefObject<HTMLDivElement | null>, typed: string, late: boolean, ready: boolean) {
  const [waitsFor, setWaitsFor] = useState<string>()
  const isOff = waitsFor !== undefined && waitsFor !== typed
  useEffect(() => {
    if (isOff) setWaitsFor(undefined)
    if (isOff || waitsFor === undefined || late || !ready) return
    setWaitsFor(undefined)
    const list = field.current?.querySelector('[aria-controls]')?.getAttribute('aria-controls')
    const lit = list ? document.getElementById(list)?.querySelector('[data-combobox-selected]') : null
    if (lit instanceof HTMLElement) lit.click()
  }, [isOff, waitsFor, late, ready, field])
  return {
    onKeyDownCapture: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !late || event.nativeEvent.isComposing) return
      event.preventDefault()
      event.stopPropagation()
      if (typed.trim() !== '') setWaitsFor(typed)
    },
    onBlur: () => setWaitsFor(undefined),
  }
}

export function Select({
  value,
  onChange,
  ...rest
}: Common & { value: string | null; onChange: (value: string | null) => void }) {
  const [typed, setTyped] = useState('')
  const { open, field, ...opening } = useOpening()
  const drawn = useFirstLit(rest.options)
  const late = isLate(rest, typed)
  const enter = useEnterWaits(field, typed, late && open, drawn)
  // Its name is still on its way: a number would mean nothing to anybody.
  const nameless = value !== null && !rest.options.some((option) => option.value === value)
  return (
    <div ref={field} className={styles.select} {...enter}>
      <LibrarySelect
        {...shared(rest, typed)}
        value={nameless ? null : value}
        onChange={(next) => (next === create_value ? rest.create?.onPick() : onChange(next))}
        onSearchChange={(text) => {
          // The library also says the name of what has been chosen. Another's name is a word like any.
          const word = rest.options.some((option) => option.value === value && option.label === text) ? '' : text
          setTyped(word)
          rest.loaded?.search?.(word)
        }}
        {...opening}
        selectFirstOptionOnChange={drawn && !late}
        clearable={(rest.clearable ?? false) && !rest.disabled}
        allowDeselect={rest.clearable ?? false}
        withCheckIcon
        checkIconPosition="right"
        {...(nameless
          ? {
              placeholder: '',
              leftSection: <Skeleton width={120} label="Loading" />,
              leftSectionWidth: 144,
              'aria-busy': true,
            }
          : {})}
      />
      {open && <Told {...rest} late={late} />}
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
  const drawn = useFirstLit(rest.options)
  const late = isLate(rest, typed)
  const enter = useEnterWaits(field, typed, late && open, drawn)
  const common = shared(rest, typed)
  // Those whose names are still on their way: their numbers would mean nothing to anybody.
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
        selectFirstOptionOnChange={drawn && !late}
        clearable={!rest.disabled}
        searchable
        hidePickedOptions
      />
      {open && <Told {...rest} late={late} />}
    </div>
  )
}
