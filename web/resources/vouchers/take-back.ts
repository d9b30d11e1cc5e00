// Take back: disables a single code, such as that of a lost slip, until it is given again.
import * as vouchers from '#contract/vouchers.ts'
import { call } from '#web/kit/call/call.ts'
import { patchRow, invalidateOthers } from '#web/kit/call/query-client.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { whenOffAnywhere } from '#web/limits/when-off.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { say } from '#web/words/desk.ts'

interface Code {
  id: number
  code: string
}

/** Asks first, as anyone online with the code is disconnected. Returns whether it was done. */
export async function takeBack({ id, code }: Code): Promise<boolean> {
  const yes = await confirm({
    title: say('test.ask-take-back', { code }),
    description: say('test.take-back-means'),
    besides: whenOffAnywhere(),
    accept: say('test.take-back'),
  })
  if (!yes) return false
  try {
    await call(vouchers.deactivate, { ids: [id] })
    const taken_back_at = new Date().toISOString()
    patchRow(vouchers.list.path, id, { state: 'invalid', reason: say('test.was-taken-back'), taken_back_at })
    invalidateOthers()
    notify.success(say('test.taken-back', { code }))
    return true
  } catch (error) {
    notify.failure(error)
    return false
  }
}

/** Returns whether it was done. */
export async function giveAgain({ id, code }: Code): Promise<boolean> {
  try {
    const { state, reason, taken_back_at } = await call(vouchers.activate, { id })
    patchRow(vouchers.list.path, id, { state, reason, taken_back_at })
    invalidateOthers()
    notify.success(say('test.given-again', { code }))
    return true
  } catch (error) {
    notify.failure(error)
    return false
  }
}
