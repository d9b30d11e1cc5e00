// Sign-up: whether one can sign up here, as the server has written into the page.

const state = () => document.querySelector<HTMLMetaElement>('meta[name="foyer-signup"]')?.content

/** A page that the server did not fill in counts as open; the server refuses anyway. */
export const signUpOpen = (): boolean => state() !== 'closed'
/** There is no login yet: the first visitor creates it. */
export const isUnclaimed = (): boolean => state() === 'first'
