// English sentences of the first screen of phones.

export const phone = {
  desk: 'Desk',
  'desk-tools': 'Desk tools',
  find: 'Find',
  code: 'Give out a code',
  'check-in': 'Check in',
  'find-guest': 'Find a guest',
  'find-account': 'Find an account',
  'find-device': 'Find a device',
  'new-vouchers': 'New vouchers',
  'desktop-site': 'Desktop site',
} as const
