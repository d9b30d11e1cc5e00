// Text area: several lines. It grows with its text if the browser supports that, up to a height that leaves the rest of the form reachable.
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Input.layer.css'
import { InputBase } from '@mantine/core'
import { asInput, type TextFieldProps } from './text-field.tsx'
import styles from './field.module.css'

export function TextArea({ rows = 3, ...props }: Omit<TextFieldProps, 'type' | 'unit'> & { rows?: number }) {
  const { classNames, ...rest } = asInput(props)
  return (
    <InputBase
      {...rest}
      component="textarea"
      multiline
      rows={rows}
      classNames={{ ...classNames, input: `${styles.input} ${styles.area}` }}
    />
  )
}
