// Selects: one or several of many, found by typing. Lists of thousands are fine: at most 100 entries are drawn at a time.
import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import { MultiSelect as LibraryMultiSelect, Select as LibrarySelect } from '@mantine/core'
import styles from './field.module.css'

export interface Option {
  value: string
  label: string
  disabled?: boolean
}

interface Common {
  label: string
  name: string
  options: Option[]
  onBlur?: () => void
  error?: string | undefined
  hint?: string | undefined
  required?: boolean
  disabled?: boolean
  placeholder?: string
  /** Whether it may be emptied. */
  clearable?: boolean
}

const shown_max = 100

const shared = ({ options, required, hint, ...rest }: Common) => ({
  ...rest,
  data: options,
  description: hint,
  withAsterisk: required ?? false,
  'aria-required': required ?? false,
  searchable: options.length > 7,
  limit: shown_max,
  nothingFoundMessage: 'Nothing found',
  maxDropdownHeight: 280,
  comboboxProps: { shadow: 'md', keepMounted: false, transitionProps: { duration: 80 } },
  classNames: {
    root: styles.field,
    label: styles.label,
    input: styles.input,
    error: styles.error,
    description: styles.hint,
  },
})

export const Select = ({
  value,
  onChange,
  ...rest
}: Common & { value: string | null; onChange: (value: string | null) => void }) => (
  <LibrarySelect
    {...shared(rest)}
    value={value}
    onChange={onChange}
    clearable={(rest.clearable ?? false) && !rest.disabled}
    allowDeselect={rest.clearable ?? false}
    withCheckIcon
    checkIconPosition="right"
  />
)

export const MultiSelect = ({
  value,
  onChange,
  ...rest
}: Common & { value: string[]; onChange: (value: string[]) => void }) => (
  <LibraryMultiSelect
    {...shared(rest)}
    value={value}
    onChange={onChange}
    clearable={!rest.disabled}
    searchable
    hidePickedOptions
  />
)
