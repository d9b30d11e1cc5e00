// Box asks: boxes that ask the portal itself whether a guest may be online, at the start and again every minute, and say meanwhile what was
// used: what a kind reads of that, and answers.

export interface BoxQuestion {
  /** What the guest has brought: the portal, the key of their status, and their pass. */
  brought: { public_id: string; status_key: string; username: string; password: string }
  mac_address: string | null
  says: 'asks' | 'left'
  bytes_to_guest: number
  bytes_from_guest: number
}

export interface BoxAsks {
  /** Where it asks, at the portal's origin. */
  paths: readonly string[]
  /** Null: it is no question. */
  read(query: Readonly<Record<string, string | undefined>>): BoxQuestion | null
  answerTo(may: boolean): string
  /** Where it sends a guest who is online. */
  online_paths: readonly string[]
  /** Where it asks whether somebody is there, and what it wants to read. */
  ping: { paths: readonly string[]; answer: string }
}
