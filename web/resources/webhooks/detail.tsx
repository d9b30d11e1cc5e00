// Webhook screens: the page of a webhook with what it was told, its form, and the page for a new one.
import * as activity from '#contract/activity.ts'
import type { Output, RowOf } from '#contract/endpoint.ts'
import * as webhooks from '#contract/webhooks.ts'
import { call } from '#web/kit/call/call.ts'
import { invalidateOthers, patchRows } from '#web/kit/call/query-client.ts'
import { DetailTabs } from '#web/kit/detail/detail-tabs.tsx'
import { FieldFacts } from '#web/kit/detail/field-facts.tsx'
import { Overview } from '#web/kit/detail/overview.tsx'
import { RecordActions } from '#web/kit/detail/record-actions.tsx'
import { WhenLoaded } from '#web/kit/detail/when-loaded.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { nextTryOf, recentTimeOf } from '#web/kit/display/dates.ts'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { recent_px } from '#web/kit/list/columns.ts'
import { fieldColumns } from '#web/kit/list/field-columns.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column } from '#web/kit/list/list-types.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { to } from '#web/paths.ts'
import { mayCall } from '#web/session/may.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/page.tsx'
import { NewWebhook, WebhookForm } from './form.tsx'
import { hostOf, renew, tellAgain, test, webhookKind } from './kind.tsx'
import styles from './webhooks.module.css'

export const WebhookScreen = ({ id }: { id?: number }) =>
  id === undefined ? <NewWebhook /> : <WebhookDetail id={id} />

function WebhookDetail({ id }: { id: number }) {
  const one = useRecord(webhooks, id)
  const back = to.webhooks()
  return (
    <DetailTabs
      of="Webhook"
      name={one && hostOf(one)}
      status={one?.status}
      back={{ title: 'Webhooks', href: back }}
      actions={
        <>
          {one?.status === 'active' && mayCall(webhooks.test) && (
            <Button icon="mail" onClick={() => void test(one).catch(notify.failure)}>
              Send a test event
            </Button>
          )}
          <RecordActions kind={webhookKind} record={one} back={back} />
        </>
      }
      tabs={{
        overview: {
          title: 'Overview',
          body: () => (
            <WhenLoaded of={webhooks} id={id}>
              {(record) => <WebhookOverview one={record} />}
            </WhenLoaded>
          ),
        },
        deliveries: { title: 'Deliveries', body: () => <Deliveries webhook_id={id} /> },
        details: { title: 'Details', body: () => <WebhookForm id={id} back={back} /> },
      }}
    />
  )
}

const pausedTexts = {
  failed: 'Nothing could be delivered for five days. Once it listens again, activate it and send what it missed.',
  gone: 'It says that nobody is listening there any more. Activate it again if that was a mistake.',
} as const

function WebhookOverview({ one }: { one: Output<typeof webhooks.get> }) {
  return (
    <Overview
      log={{ of: activity.list, object_type: 'webhooks', object_id: one.id }}
      todo={[
        one.paused_for !== null && { title: 'This webhook is paused', text: pausedTexts[one.paused_for] },
        one.paused_for === null &&
          one.failing_since !== null && {
            title: 'It is not answering at present',
            text: `Since ${recentTimeOf(one.failing_since)}. Events are kept until it is back. See the deliveries for what went wrong.`,
          },
      ]}
    >
      <Panel title="Webhook">
        <FieldFacts
          fields={webhooks.fields}
          of={one}
          sections={['webhook']}
          own={{
            owner_type: null,
            owner_id: [one.owner_type === 'Customer' ? 'Whole company' : one.owner_name],
            events: [one.events.join(', ')],
            personal_data: [one.personal_data ? 'Names, addresses and numbers are sent' : 'Only ids are sent'],
          }}
          last={[['waiting'], ['created_at']]}
        />
      </Panel>
      {mayCall(webhooks.renewSecret) && (
        <Panel title="Secret and replay">
          <div className={styles.buttons}>
            <Button icon="apiKeys" onClick={() => void renew(one).catch(notify.failure)}>
              New secret
            </Button>
            {one.status === 'active' && (
              <Button icon="refresh" onClick={() => void tellAgain(one).catch(notify.failure)}>
                Send the last 24 hours again
              </Button>
            )}
          </div>
        </Panel>
      )}
    </Overview>
  )
}

type Delivery = RowOf<typeof webhooks.deliveries>

const stateNames = { waiting: 'Waits', delivered: 'Delivered', failed: 'Given up' } as const
const tones = { waiting: 'waiting', delivered: 'good', failed: 'wrong' } as const

async function sendAgain({ id }: Delivery) {
  await call(webhooks.send, { ids: [id] })
  patchRows(webhooks.deliveries.path, [id], {
    state: 'waiting',
    tries: 0,
    status: null,
    answer: null,
    waits_for_answer: false,
  })
  invalidateOthers()
  notify.success('It is sent again')
}

const deliveryKind: RecordKind<Delivery> = {
  of: { list: webhooks.deliveries, fields: webhooks.deliveryFields },
  noun: 'deliveries',
  nameOf: (row) => row.type,
  searchKey: 'type',
  consequence: '',
  live_ms: 5000,
  own: (row) =>
    mayCall(webhooks.send)
      ? [{ label: 'Send again', icon: 'refresh', onPick: () => sendAgain(row).catch(notify.failure) }]
      : [],
}

const column = fieldColumns({ list: webhooks.deliveries, fields: webhooks.deliveryFields })
const answerOf = ({ status, answer }: Delivery) =>
  [status, answer].filter((part) => part !== null && part !== '').join(': ')

const deliveryColumns: Column<typeof webhooks.deliveries>[] = [
  column('type', { cell: (row) => row.type, width: 170, grow: 1, priority: 1 }),
  column('state', {
    cell: ({ state }) => <Badge tone={tones[state]}>{stateNames[state]}</Badge>,
    below: ({ state }) => stateNames[state],
    width: 112,
    priority: 2,
  }),
  column('answer', { cell: answerOf, below: answerOf, width: 200, grow: 3, priority: 3 }),
  column('tries', { width: 72, align: 'end', priority: 5 }),
  column('next_at', { cell: nextTryOf, width: recent_px, priority: 6 }),
  column('created_at', { cell: (row) => recentTimeOf(row.created_at), width: recent_px, priority: 4 }),
]

const Deliveries = ({ webhook_id }: { webhook_id: number }) => (
  <ListScreen
    of={webhooks.deliveries}
    title="Deliveries"
    where={{ webhook_id }}
    kind={deliveryKind}
    columns={deliveryColumns}
    filters={{
      state: { kind: 'checkbox', options: Object.entries(stateNames).map(([value, label]) => ({ value, label })) },
    }}
    empty={{
      icon: 'integrations',
      title: 'Nothing has been sent to it yet',
      children:
        'Events from now on are listed here for 30 days, with what the other program answered. A test event shows that it is listening.',
    }}
  />
)
