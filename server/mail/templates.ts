// Templates: what the product writes to people. Plain sentences; whatever a person typed is only ever text.
export interface Mail {
  recipient_name: string
  recipient_email: string
  subject: string
  text: string
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

export const invitation = (
  to: { name: string; email: string },
  from: { inviter: string; owner: string; link: string },
): Mail => ({
  recipient_name: to.name,
  recipient_email: to.email,
  subject: oneLine(`You are invited to ${from.owner} on Foyer`),
  text: `Hello ${oneLine(to.name)},

${oneLine(from.inviter)} has invited you to look after the guest Wi-Fi of ${oneLine(from.owner)} on Foyer.

Open this link to accept. It works once, for 7 days:
${from.link}

If you did not expect this, you can leave it; nothing happens.
`,
})

export const passwordReset = (to: { name: string; email: string }, link: string): Mail => ({
  recipient_name: to.name,
  recipient_email: to.email,
  subject: 'Set a new password for Foyer',
  text: `Hello ${oneLine(to.name)},

Someone, probably you, asked to set a new password for ${to.email}.

Open this link to choose one. It works once, for 30 minutes:
${link}

If it was not you, you can leave it; your password stays as it is.
`,
})
