// Theme: what the component library is told in JavaScript. Its colours, type and corners are in theme.css.
import { createTheme } from '@mantine/core'

export const theme = createTheme({
  respectReducedMotion: true,
  // Plain objects on purpose: importing the components to extend them would put them all into the first download.
  components: {
    // What a field means stands below it, so that fields side by side stand in one line.
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    CloseButton: { defaultProps: { 'aria-label': 'Close' } },
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': 'Show password', tabIndex: 0 } } },
    Select: { defaultProps: { clearButtonProps: { 'aria-label': 'Clear' } } },
    MultiSelect: { defaultProps: { clearButtonProps: { 'aria-label': 'Clear all' } } },
  },
})
