// Guest help network: fixes for a property and its gateways, which affect everybody there.
import * as gateways from '#contract/gateways.ts'
import * as properties from '#contract/properties.ts'
import { usual_type_id } from '#server/gateways/find-kind.ts'
import { advice, offer, type FixMaker } from './offers.ts'

export const networkFixes: Record<string, FixMaker> = {
  property_disabled: ({ scope, say, known: { property } }) => [
    offer(
      scope,
      properties.activate,
      { id: property?.id ?? 0 },
      {
        label: say('fix.wifi-on'),
        done: say('fix.wifi-on-done'),
        confirm: say('fix.wifi-on-means', { property: property?.name ?? say('fix.the-property') }),
        who: say('fix.editor-above'),
      },
    ),
  ],
  gateway_disabled: ({ scope, say, propertyState, attempts: [latest] }) => {
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
              label: say('fix.enable-gateway', { name: gateway.name }),
              done: say('fix.enable-gateway-done', { name: gateway.name }),
              who: say('fix.editor-above'),
            },
          ),
        ]
  },
  no_gateway: ({ say }) => [advice(say('fix.register-gateway'), say('fix.editor-above'))],
  controller_down: ({ say, propertyState }) => {
    const gateway = propertyState?.gateways.find(({ problem }) => problem !== null)
    const named = gateway ? { id: gateway.id, name: gateway.name } : null
    return [advice(say('fix.look-gateway'), say('fix.look-gateway-controller'), named)]
  },
  controller_refused: ({ say }) => [advice(say('fix.open-once-more'), say('fix.open-once-more-how'))],
  gateway_silent: ({ say }) => [advice(say('fix.look-gateway'), say('fix.look-gateway-power'))],
  gateway_unheard: ({ say, propertyState }) => {
    const [gateway] = propertyState?.gateways ?? []
    const named = gateway ? { id: gateway.id, name: gateway.name } : null
    return [advice(say('fix.set-up'), say('fix.set-up-how'), named)]
  },
  wrong_secret: ({ scope, say, propertyState }) => {
    const gateway = propertyState?.gateways.find(({ refused_for }) => refused_for === 'wrong_secret')
    return gateway === undefined
      ? []
      : [
          offer(
            scope,
            gateways.makeSecret,
            { id: gateway.id },
            {
              label: say('fix.secret', { name: gateway.name }),
              done: say('fix.secret-done'),
              confirm: say('fix.secret-means'),
              who: `${say('fix.editor-above')} ${say('fix.secret-who')}`,
            },
          ),
        ]
  },
  unsigned: ({ scope, say, propertyState }) => {
    const gateway = propertyState?.gateways.find(({ refused_for }) => refused_for === 'unsigned')
    return gateway === undefined
      ? []
      : [
          offer(
            scope,
            gateways.update,
            { id: gateway.id, takes_unsigned: true },
            {
              label: say('fix.old-gateway', { name: gateway.name }),
              done: say('fix.old-gateway-done'),
              confirm: say('fix.old-gateway-means'),
              undo: { id: gateway.id, takes_unsigned: false },
              who: say('fix.editor-above'),
            },
          ),
        ]
  },
  gateway_unregistered: ({ scope, say, known: { property }, propertyState }) => {
    const [unregistered] = propertyState?.unregistered ?? []
    if (property === null || unregistered === undefined) return []
    const { nas_identifier, mac_address } = unregistered
    const gateway_type_id = propertyState?.gateways[0]?.gateway_type_id ?? usual_type_id
    const ask = {
      property_id: property.id,
      gateway_type_id,
      ...(nas_identifier !== null && { nas_identifier }),
      mac_address,
    }
    return [
      offer(scope, gateways.create, ask, {
        label: say('fix.register-this'),
        done: say('fix.secret-done'),
        confirm: say('fix.register-this-means', { property: property.name }),
        who: say('fix.editor-above'),
      }),
    ]
  },
}
