// Webhook kind: what can be done with one webhook: test it, give it a new secret, tell it again what it missed, delete it.
import type { RowOf } from '#contract/endpoint.ts'
import * as webhooks from '#contract/webhooks.ts'
import { call } from '#web/kit/call/call.ts'
import { madeOnce } from '#web/kit/call/idempotency.ts'
import { invalidateOthers } from '#web/kit/call/query-client.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { wholeOf } from '#web/kit/display/numbers.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { to } from '#web/paths.ts'
import { mayCall } from '#web/session/may.ts'
import type { MenuItem } from '#web/ui/menu.tsx'
import { SecretValue } from './secret.tsx'

export type Webhook = RowOf<typeof webhooks.list>

export const hostOf = ({ url }: Pick<Webhook, 'url'>) => (URL.canParse(url) ? new URL(url).host : url)

export async function test({ id }: Pick<Webhook, 'id'>) {
  await call(webhooks.test, { id })
  invalidateOthers()
  notify.success('A test event is on its way')
}

export async function renew(one: Webhook) {
  const sure = await confirm({
    title: 'Make a new secret?',
    description: 'The present one signs for another day, so that you can change it there. The new one is shown once.',
    accept: 'Make a new one',
  })
  if (!sure) return
  const { secret } = await madeOnce(`${webhooks.renewSecret.path} ${one.id}`, (idempotencyKey) =>
    call(webhooks.renewSecret, { id: one.id }, { idempotencyKey }),
  )
  await confirm({
    title: 'The new secret',
    description: <SecretValue secret={secret} />,
    accept: 'Done',
    cancel: 'Close',
  })
}

const hours_ms = 3_600_000
export async function tellAgain({ id }: Pick<Webhook, 'id'>) {
  const sure = await confirm({
    title: 'Send the last 24 hours again?',
    description:
      'Every event it has asked for is sent once more under the same id, so that it can skip what it already has.',
    accept: 'Send again',
  })
  if (!sure) return
  const { sent } = await call(webhooks.replay, { id, since: new Date(Date.now() - 24 * hours_ms).toISOString() })
  invalidateOthers()
  notify.success(sent === 1 ? 'One event is sent again' : `${wholeOf(sent)} events are sent again`)
}

function itemsOf(one: Webhook): MenuItem[] {
  return [
    ...(mayCall(webhooks.test) && one.status === 'active'
      ? [
          { label: 'Send a test event', icon: 'mail' as const, onPick: () => test(one).catch(notify.failure) },
          {
            label: 'Send the last 24 hours again',
            icon: 'refresh' as const,
            onPick: () => tellAgain(one).catch(notify.failure),
          },
        ]
      : []),
    ...(mayCall(webhooks.renewSecret)
      ? [{ label: 'New secret', icon: 'apiKeys' as const, onPick: () => renew(one).catch(notify.failure) }]
      : []),
  ]
}

export const webhookKind: RecordKind<Webhook> = {
  of: {
    list: webhooks.list,
    get: webhooks.get,
    update: webhooks.update,
    remove: webhooks.remove,
    fields: webhooks.fields,
  },
  noun: 'webhooks',
  nameOf: hostOf,
  searchKey: 'url',
  href: (one) => to.webhook(one.id),
  consequence: 'Nothing more is sent to it, and its secret and log are deleted. This cannot be undone.',
  live_ms: 10_000,
  own: itemsOf,
}
