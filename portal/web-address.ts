// Web address: what may stand behind a link. The contract says so too; a preview shows what is still being typed.

/** The address itself where it is one of the web, else null: `javascript:` and half an address lead nowhere. */
export const webAddress = (typed: string | null): string | null =>
  typed !== null && /^https?:\/\/[^\s/?#@]+([/?#]\S*)?$/i.test(typed) ? typed : null
