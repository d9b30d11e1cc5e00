// Theme: the one place for colours, type, spacing and the component library's defaults, light and dark.
//
// Every colour that a screen uses is a token below, written as `var(--ink)`. Text tokens keep 4.5:1 on every ground
// they are used on, lines of controls 3:1 (WCAG 2.2 AA); a change of a value is checked by the browser journeys.
import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

const light = {
  ground: '#f7f7f9',
  surface: '#ffffff',
  raised: '#ffffff',
  hover: '#f3f4f6',
  chosen: '#eef0fd',
  line: '#e7e8ec',
  'line-strong': '#d3d6dd',
  'line-control': '#868c98',
  ink: '#15171c',
  'ink-2': '#4b505b',
  'ink-3': '#646a76',
  accent: '#3d46c2',
  'accent-hover': '#333ba8',
  'accent-ink': '#3b44bd',
  'accent-soft': '#eef0fd',
  danger: '#c0262d',
  'danger-hover': '#a81f26',
  'danger-ink': '#b3232a',
  'danger-soft': '#fdeeee',
  'ok-ink': '#17693c',
  'ok-soft': '#e6f5ec',
  'warn-ink': '#835308',
  'warn-soft': '#fcf2dc',
  'quiet-ink': '#565c68',
  'quiet-soft': '#eff0f3',
  shadow: '0 1px 2px rgb(16 18 27 / 6%)',
  'shadow-high': '0 12px 32px -8px rgb(16 18 27 / 18%), 0 2px 6px rgb(16 18 27 / 8%)',
}
const dark: typeof light = {
  ground: '#0e0f12',
  surface: '#15171b',
  raised: '#1c1e24',
  hover: '#1d2026',
  chosen: '#22264a',
  line: '#262930',
  'line-strong': '#363a44',
  'line-control': '#767d8b',
  ink: '#eceef2',
  'ink-2': '#b4b9c4',
  'ink-3': '#959ba8',
  accent: '#5560e0',
  'accent-hover': '#5c66e6',
  'accent-ink': '#a9b1ff',
  'accent-soft': '#23274a',
  danger: '#d13a41',
  'danger-hover': '#d53f46',
  'danger-ink': '#ff9a9c',
  'danger-soft': '#3a1c20',
  'ok-ink': '#7fdba4',
  'ok-soft': '#14301f',
  'warn-ink': '#f0c371',
  'warn-soft': '#35280f',
  'quiet-ink': '#b4b9c4',
  'quiet-soft': '#272a31',
  shadow: '0 1px 2px rgb(0 0 0 / 40%)',
  'shadow-high': '0 16px 40px -8px rgb(0 0 0 / 60%), 0 0 0 1px rgb(255 255 255 / 4%)',
}

const brand: MantineColorsTuple = [
  '#eef0fd', '#dcdffa', '#b9bff4', '#949dee', '#7680e8', '#626cea', '#5560e0', '#3d46c2', '#333ba8', '#282f86',
] // prettier-ignore

const named = (tokens: typeof light) =>
  Object.fromEntries(Object.entries(tokens).map(([name, value]) => [`--${name}`, value]))

/** What the component library calls its colours, said in our tokens. The same for both schemes. */
const borrowed = {
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--ink-3)',
  '--mantine-color-placeholder': 'var(--ink-3)',
  '--mantine-color-anchor': 'var(--accent-ink)',
  '--mantine-color-error': 'var(--danger-ink)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-disabled': 'var(--quiet-soft)',
  '--mantine-color-disabled-color': 'var(--ink-3)',
  '--mantine-primary-color-filled': 'var(--accent)',
  '--mantine-primary-color-filled-hover': 'var(--accent-hover)',
}

export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: { ...named(light), ...borrowed },
  dark: { ...named(dark), ...borrowed },
})

const px = (value: number) => `${value / 16}em`

export const theme = createTheme({
  colors: { brand },
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 6 },
  fontFamily: "'Inter Variable', ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  headings: { fontWeight: '620' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  breakpoints: { xs: px(359), sm: px(479), md: px(839), lg: px(959), xl: px(1048) },
  // Plain objects on purpose: importing the components to extend them would put them all into the first download.
  components: {
    CloseButton: { defaultProps: { 'aria-label': 'Close' } },
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    ColorInput: { defaultProps: { eyeDropperButtonProps: { 'aria-label': 'Pick a colour from the screen' } } },
    PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': 'Show password', tabIndex: 0 } } },
    Select: { defaultProps: { clearButtonProps: { 'aria-label': 'Clear' } } },
    MultiSelect: { defaultProps: { clearButtonProps: { 'aria-label': 'Clear all' } } },
  },
})
