// Ways: the supported ways in, by their method.
import { authMethods } from '#contract/portals.ts'
import { account } from './account.ts'
import { clickThrough } from './click-through.ts'
import { conference } from './conference.ts'
import { email } from './email.ts'
import { room } from './room.ts'
import { sms } from './sms.ts'
import { voucher } from './voucher.ts'
import type { Fields, Way } from './way.ts'

const ways = new Map<number, Way>([
  [authMethods.free, clickThrough],
  [authMethods.voucher, voucher],
  [authMethods.account, account],
  [authMethods.room, room],
  [authMethods.email, email],
  [authMethods.sms, sms],
  [authMethods.conference, conference],
])

export interface ChosenWay {
  /** Of `authMethods`. */
  method: number
  way: Way
}

export const isServedWay = (method: number) => ways.has(method)

/**
 * The way that was chosen. A page that shows the fields of all ways names the one that it opened with (`opened_with`): if the choice is
 * still that one, the only field that was filled in decides.
 */
export function wayIn(offered: readonly number[], fields: Fields): ChosenWay | null {
  const served = offered.flatMap((method) => {
    const way = ways.get(method)
    return way ? [{ method, way }] : []
  })
  const isFilled = ({ way: { chosenBy } }: { way: Way }) => chosenBy !== undefined && Boolean(fields[chosenBy]?.trim())
  const chosen = served.find(({ method }) => String(method) === fields['method'])
  const isOwnChoice = chosen !== undefined && fields['opened_with'] !== fields['method']
  if (chosen && (isOwnChoice || isFilled(chosen))) return chosen
  return served.find(isFilled) ?? chosen ?? null
}

/** The values of this way's fields that are shown again in the form after a refusal. */
export const typedIn = ({ shownAgain = [], askedAgain }: Way, fields: Fields): Record<string, string> => ({
  ...Object.fromEntries(
    shownAgain.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name].slice(0, 200)]])),
  ),
  ...(askedAgain !== undefined && fields[askedAgain] && { [askedAgain]: '' }),
})
