// E-mail: an address that is confirmed by the link, or the code, of a mail. A guest is online for some minutes in order to read it.
import * as shapes from '#contract/shapes.ts'
import { messageTexts } from '#server/guest/message-texts.ts'
import { queueGuestMail } from '#server/deliveries/mails.ts'
import { oneLine } from '#server/deliveries/mail-templates.ts'
import { byMessage } from './by-message.ts'

const minute_s = 60

export const email = byMessage({
  channel: 'email',
  wrong: 'address',
  life_s: 30 * minute_s,
  grace_s: 10 * minute_s,
  read: (typed) => shapes.email.safeParse(typed).data ?? null,
  async send(scope, { queue, portal_url }, { gateway, guest }, { address, code, token, place, life_s }) {
    const { subject, mail } = messageTexts[guest.language]
    const values = { place: oneLine(place), link: `${portal_url}/confirm/${token}`, code, minutes: life_s / minute_s }
    await queueGuestMail(
      scope,
      queue,
      {
        kind: 'guest_code',
        recipient_name: address,
        recipient_email: address,
        subject: subject(values.place),
        text: mail(values),
        good_for_s: life_s,
      },
      { property_id: gateway.property_id, mac_address: guest.mac_address },
    )
  },
})
