// Former nodes: those of a release before, which know nothing of what came since. What they could not read is written once none of them
// may be at work, which the database itself says.
import { sql } from 'kysely'
import type { Doors } from '#server/access/doors.ts'
import { leavesAtWork, type Release } from '#server/db/releases.ts'

/** Whether nodes from before the release `since` may be at work. */
export const areAtWork = async ({ callFunction }: Pick<Doors, 'callFunction'>, since: string): Promise<boolean> =>
  leavesAtWork(await callFunction(sql<Release>`select * from door_releases()`), since)
