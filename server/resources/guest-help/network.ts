// Guest help network: fixes for a property and its gateways, which affect everybody there.
import * as gateways from '#contract/gateways.ts'
import * as properties from '#contract/properties.ts'
import { advice, editorsOf, offer, type FixMaker } from './offers.ts'

export const networkFixes: Record<string, FixMaker> = {
  property_disabled: ({ scope, known: { property } }) => [
    offer(
      scope,
      properties.activate,
      { id: property?.id ?? 0 },
      {
        label: 'Switch guest Wi-Fi on',
        done: 'Guest Wi-Fi is on.',
        confirm: `Guests of ${property?.name ?? 'the property'} can sign in again.`,
        who: editorsOf('customer or the group'),
      },
    ),
  ],
  gateway_disabled: ({ scope, propertyState, attempts: [latest] }) => {
    const off = propertyState?.gateways.filter(({ active }) => !active) ?? []
    const gateway = off.find(({ id }) => id === latest?.gateway?.id) ?? off[0]
    return gateway === undefined
      ? []
      : [
          offer(
            scope,
            gateways.activate,
            { id: gateway.id },
            {
              label: `Enable ${gateway.name}`,
              done: `${gateway.name} is enabled.`,
              who: editorsOf('customer or the group'),
            },
          ),
        ]
  },
  no_gateway: () => [advice('Register a gateway', editorsOf('customer or the group'))],
  controller_down: ({ propertyState }) => {
    const gateway = propertyState?.gateways.find(({ problem }) => problem !== null)
    const named = gateway ? { id: gateway.id, name: gateway.name } : null
    return [advice('Look at the gateway', 'Its page says what its controller answered.', named)]
  },
  controller_refused: () => [
    advice('Let them open the page once more', 'Where it says the same again, look at the page of the gateway.'),
  ],
  gateway_silent: () => [
    advice(
      'Look at the gateway',
      'Check that it has power and is connected; switch it off and on again where that does not help.',
    ),
  ],
  gateway_unheard: ({ propertyState }) => {
    const [gateway] = propertyState?.gateways ?? []
    const named = gateway ? { id: gateway.id, name: gateway.name } : null
    return [advice('Set the gateway up', 'Its page says what to paste into it.', named)]
  },
  wrong_secret: ({ scope, propertyState }) => {
    const gateway = propertyState?.gateways.find(({ refused_for }) => refused_for === 'wrong_secret')
    return gateway === undefined
      ? []
      : [
          offer(
            scope,
            gateways.makeSecret,
            { id: gateway.id },
            {
              label: `Make a new secret for ${gateway.name}`,
              done: 'Enter this secret at the gateway.',
              confirm: 'The gateway gets no answers until the new secret is entered there.',
              who: `${editorsOf('customer or the group')} The secret at the gateway and the one here must be the same.`,
            },
          ),
        ]
  },
  unsigned: ({ scope, propertyState }) => {
    const gateway = propertyState?.gateways.find(({ refused_for }) => refused_for === 'unsigned')
    return gateway === undefined
      ? []
      : [
          offer(
            scope,
            gateways.update,
            { id: gateway.id, takes_unsigned: true },
            {
              label: `Answer ${gateway.name} as an old one`,
              done: 'It is answered from now on.',
              confirm: 'Packets without a signature can be forged. Update the gateway where that is possible.',
              undo: { id: gateway.id, takes_unsigned: false },
              who: editorsOf('customer or the group'),
            },
          ),
        ]
  },
  gateway_unregistered: ({ scope, known: { property }, propertyState }) => {
    const [unregistered] = propertyState?.unregistered ?? []
    if (property === null || unregistered === undefined) return []
    const { nas_identifier, mac_address } = unregistered
    const gateway_type_id = propertyState?.gateways[0]?.gateway_type_id ?? 13
    const ask = {
      property_id: property.id,
      gateway_type_id,
      ...(nas_identifier !== null && { nas_identifier }),
      mac_address,
    }
    return [
      offer(scope, gateways.create, ask, {
        label: 'Register this gateway',
        done: 'Enter this secret at the gateway.',
        confirm: `It is registered at ${property.name}. Do so only if it is yours.`,
        who: editorsOf('customer or the group'),
      }),
    ]
  },
}
