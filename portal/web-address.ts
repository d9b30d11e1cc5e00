// Web address: which addresses a link may have. The contract checks them, too, but a preview shows what is still being typed.

/** The address if it is a web address, otherwise null, as for `javascript:` and incomplete addresses. */
export const webAddress = (typed: string | null): string | null =>
  typed !== null && /^https?:\/\/[^\s/?#@]+([/?#]\S*)?$/i.test(typed) ? typed : null
