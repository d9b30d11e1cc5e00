// Kept scheme: light or dark, as chosen in this browser; without a choice the page follows the system.
export const scheme_key = 'foyer-theme'

/** To be called before anything is rendered: a page that turns dark with its first screen would flash. */
export function showKeptScheme() {
  const scheme = localStorage.getItem(scheme_key)
  if (scheme === 'light' || scheme === 'dark')
    document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
}
