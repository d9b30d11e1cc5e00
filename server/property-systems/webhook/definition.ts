// Definition of the generic webhook: a system, or what stands between, posts stays in our shape.
import { graceParameter, silenceParameter, type PropertySystemDefinition } from '#server/property-systems/definition.ts'

export const definition: PropertySystemDefinition = {
  id: 5,
  name: 'Generic webhook',
  parameters: [
    {
      key: 'signing_secret',
      label: 'Signing secret',
      kind: 'secret',
      choices: [],
      required: true,
      once: false,
      help: 'What the other system signs with, by Standard Webhooks: “whsec_” and 24 bytes or more in Base64.',
    },
    graceParameter,
    silenceParameter,
  ],
  fields: [],
  note: 'Post “stay.changed”, “stay.ended” or “stays.all” to the address of this interface, signed by Standard Webhooks.',
}
