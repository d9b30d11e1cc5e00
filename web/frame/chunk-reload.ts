// Chunk reload: after a deployment, a page that was open asks for files that are gone. One reload fetches the new ones;
// at most one a minute, so that a server in trouble is not hammered and the error page can show.
import { constants } from '#contract/constants.ts'

const key = 'foyer-reloaded-at'

/** Whether enough time has passed since the last reload. */
export const mayReload = (last: string | null, now_ms: number): boolean =>
  last === null || !Number.isFinite(Number(last)) || now_ms - Number(last) >= constants.chunk_reload_guard_ms

/** A message of our own: the router recognises the browser's error and would reload by itself. */
export class PartMissing extends Error {
  constructor(cause: unknown) {
    super('Part of the app could not be loaded.', { cause })
  }
}

/** What "Try again" does: browsers remember a part that they could not fetch, and only a new page requests it again. */
export function tryAgain(error: unknown, redraw: () => void) {
  if (error instanceof PartMissing) window.location.reload()
  else redraw()
}

/** Loads a part of the app; when its file is gone, reloads the page and never settles. */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (mayReload(sessionStorage.getItem(key), Date.now())) {
      sessionStorage.setItem(key, String(Date.now()))
      window.location.reload()
      return await new Promise<T>(() => {})
    }
    throw new PartMissing(error)
  }
}
