// Kept token: the token of this tab in sessionStorage; it survives a reload and is gone when the tab closes.
const key = 'foyer-session'

export const keptToken = {
  read: () => sessionStorage.getItem(key),
  write: (token: string) => sessionStorage.setItem(key, token),
  clear: () => sessionStorage.removeItem(key),
}
