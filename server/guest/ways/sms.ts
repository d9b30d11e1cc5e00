// SMS: a mobile number that is confirmed by the code of a text message.
import { messageTexts } from '#server/guest/message-texts.ts'
import { oneLine } from '#server/deliveries/mail-templates.ts'
import { queueText } from '#server/deliveries/texts.ts'
import { phoneNumber } from '#server/deliveries/phone-number.ts'
import { byMessage } from './by-message.ts'

const place_length_max = 60

export const sms = byMessage({
  channel: 'sms',
  wrong: 'number',
  life_s: 600,
  grace_s: 0,
  read: phoneNumber,
  async send(scope, { queue }, { gateway, guest }, { address, code, place, life_s }) {
    const text = messageTexts[guest.language].text(oneLine(place).slice(0, place_length_max), code)
    const request = { property_id: gateway.property_id, mac_address: guest.mac_address, good_for_s: life_s }
    await queueText(scope, queue, { kind: 'guest_code', mobile_number: address, text }, request)
  },
})
