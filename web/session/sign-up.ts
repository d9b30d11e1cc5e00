// Sign-up: whether somebody can sign up here, as the server has written it into the page.

const standing = () => document.querySelector<HTMLMetaElement>('meta[name="foyer-signup"]')?.content

/** A page that the server did not fill counts as open; the server refuses anyway. */
export const signUpOpen = (): boolean => standing() !== 'closed'
/** Nobody has an account yet: whoever comes first makes it. */
export const isUnclaimed = (): boolean => standing() === 'first'
