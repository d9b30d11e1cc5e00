// OpenAPI webhooks: what is posted to webhooks, an entry for each type of event, made from the contract.
import { bodyOf, eventNames, eventTypes } from '#contract/events.ts'
import { areaGuide } from '#server/api/area-guide.ts'
import type { SchemaJson, Schemas } from '#server/api/openapi-schemas.ts'

const header = (name: string, description: string, example: string): SchemaJson => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})

const headers = [
  header(
    'webhook-id',
    'The same at each try: ignore what you have already received.',
    'msg_0b6f6a54-6a1c-4a53-8d1d-5d8f0a4f7f11',
  ),
  header(
    'webhook-timestamp',
    'When this try was made, in seconds since 1970. Refuse anything older than five minutes.',
    '1795868400',
  ),
  header(
    'webhook-signature',
    'HMAC-SHA256 of `id.timestamp.body` under the secret, in Base64, as `v1,…`; several with a space between them.',
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ),
]

export const webhooksOf = (schemas: Schemas): SchemaJson =>
  Object.fromEntries(
    eventNames.map((type) => [
      type,
      {
        post: {
          operationId: `on_${type.replace('.', '_')}`,
          tags: [areaGuide.webhooks.title],
          summary: eventTypes[type].title,
          description:
            '`sequence` counts what happened to the same object, from 1, whatever the type: a gap tells that an event is missing only to ' +
            'a webhook that takes all types about that object, and has since its first. `personal` is there for webhooks that are given ' +
            'personal data.',
          security: [],
          parameters: headers,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemas.of(bodyOf(type), 'output') } },
          },
          responses: {
            '204': { description: 'Received. Any 2xx will do, within ten seconds.' },
            '410': { description: 'Nobody is listening here any more: the webhook is paused.' },
          },
        },
      },
    ]),
  )
