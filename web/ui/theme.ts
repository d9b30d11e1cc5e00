// Theme: the settings of the component library in JavaScript. Its colours, type and corners are in theme.css.
import { createTheme } from '@mantine/core'

export const theme = createTheme({
  respectReducedMotion: true,
  // Plain objects on purpose: importing the components to extend them would pull all of them into the first download.
  components: {
    // The description is below the input, so that fields side by side line up.
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    // Its picture has no words.
    ComboboxChevron: { defaultProps: { 'aria-hidden': true } },
    CloseButton: { defaultProps: { 'aria-label': 'Close' } },
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': 'Show password', tabIndex: 0 } } },
    Select: { defaultProps: { clearButtonProps: { 'aria-label': 'Clear' } } },
    MultiSelect: { defaultProps: { clearButtonProps: { 'aria-label': 'Clear all' } } },
  },
})
