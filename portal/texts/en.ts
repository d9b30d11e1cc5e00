// English texts of the portal, and the type that all languages share.
import { messages } from '#contract/messages.ts'

/** Why a sign-in was refused. The text of each says what to do next. */
export type Refusal =
  | 'incomplete'
  | 'terms'
  | 'unknown'
  | 'not_yet_valid'
  | 'expired'
  | 'used_up'
  | 'too_many_devices'
  | 'disabled'
  | 'too_often'
  | 'address'
  | 'number'
  | 'wrong_code'
  | 'code_over'
  | 'wait'
  | 'no_more_messages'
  | 'unconfirmed'
  | 'failed'

export interface Texts {
  language: string
  /** The translation of the default headline. */
  headline: string
  skip: string
  /** Above the ways in, if there are several. */
  choose: string
  /** Names of the ways in. */
  ways: Record<'free' | 'voucher' | 'account' | 'room' | 'email' | 'sms' | 'conference', string>
  fields: Record<
    | 'voucher_code'
    | 'voucher_password'
    | 'username'
    | 'password'
    | 'room_number'
    | 'last_name'
    | 'email'
    | 'mobile_number'
    | 'conference_code',
    string
  >
  /** Opens the field for a voucher's password, which some have. */
  voucher_has_password: string
  email_use: string
  sms_use: string
  /** The form that asks for the code of a message. */
  code: {
    field: string
    email_title: string
    email: (address: string) => string
    sms_title: string
    sms: (address: string) => string
    /** `time` is formatted, such as `9 minutes`. */
    online: (time: string) => string
    confirm: string
    again: string
    change: string
  }
  /** The page that the link in a mail opens. */
  confirm: {
    title: string
    asked: (address: string) => string
    done_title: string
    done: string
    over_title: string
    over: string
  }
  known_devices_only: string
  connect: string
  agree: string
  read_terms: string
  terms: string
  version: (number: number) => string
  privacy: string
  opens_in_new_window: string
  refused_title: string
  refused: Record<Refusal, string>
  /** While Foyer is started or upgraded, or has too much to do. */
  upgrading_title: string
  upgrading: string
  /** While there are more guests than can be answered. */
  busy: string
  unregistered_title: string
  unregistered: string
  hand_over_title: string
  /** While a controller is called to let the guest in, and while it does not answer. */
  connecting_title: string
  connecting: string
  delayed_title: string
  delayed: string
  away_title: string
  away: string
  away_network: (network: string) => string
  online_title: string
  online: string
  status_title: string
  time_left: string
  data_left: string
  no_limit: string
  go_on: string
  /** A guest who withdraws what they agreed to be sent. */
  consent: Record<'link' | 'title' | 'given' | 'asked' | 'withdraw' | 'back' | 'done_title' | 'done', string>
  sign_out: string
  signed_out_title: string
  signed_out: string
  signing_out_title: string
  signing_out: string
  /** Above the reason for which the session ended. */
  ended_title: string
  /** Pages outside of any portal: how to get to one, and what is not there or went wrong. */
  outside: Record<
    | 'join'
    | 'join_help'
    | 'nothing_title'
    | 'nothing'
    | 'no_sign_in_title'
    | 'no_sign_in'
    | 'unreadable'
    | 'broken_title'
    | 'broken'
    | 'reference'
    | 'how',
    string
  > & { steps: Record<'title' | 'text', string>[] }
  refresh: string
  sign_in_again: string
}

export const en: Texts = {
  language: 'Language',
  headline: messages.portal.headline,
  skip: 'Skip to the sign-in',
  choose: 'How would you like to sign in?',
  ways: {
    free: 'Free access',
    voucher: 'Voucher',
    account: 'User name and password',
    room: 'Room number and last name',
    email: 'E-mail address',
    sms: 'Text message',
    conference: 'Event code',
  },
  fields: {
    voucher_code: 'Voucher code',
    voucher_password: 'Voucher password',
    username: 'User name',
    password: 'Password',
    room_number: 'Room number',
    last_name: 'Last name',
    email: 'E-mail address',
    mobile_number: 'Mobile number',
    conference_code: 'Event code',
  },
  voucher_has_password: 'My voucher has a password',
  email_use: 'You will get an e-mail to confirm that the address is yours.',
  sms_use: 'You will get a text message with a code.',
  code: {
    field: 'Code',
    email_title: 'Confirm your e-mail address',
    email: (address) => `We have sent an e-mail to ${address}. Open its link, or type the six digits in it.`,
    sms_title: 'Type the code',
    sms: (address) => `We have sent a text message with six digits to ${address}.`,
    online: (time) => `You are online for ${time}, so that you can read it.`,
    confirm: 'Confirm',
    again: 'Send a new code',
    change: 'Sign in another way',
  },
  confirm: {
    title: 'Confirm your e-mail address',
    asked: (address) => `Is ${address} your address? Press the button to confirm it.`,
    done_title: 'Thank you',
    done: 'Your address is confirmed, and you can go on using the Wi-Fi. If the sign-in page opens again, type the same address there.',
    over_title: 'This link no longer works',
    over: 'Open the Wi-Fi page again, and ask for a new e-mail.',
  },
  known_devices_only: 'Only registered devices can get online here. Ask at the front desk to have yours added.',
  connect: 'Connect',
  agree: 'I agree to the terms of use',
  read_terms: 'Read the terms of use',
  terms: 'Terms of use',
  version: (number) => `Version ${number}`,
  privacy: 'Privacy',
  opens_in_new_window: 'opens in a new window',
  refused_title: 'That did not work',
  refused: {
    incomplete: 'Please fill in what is missing.',
    terms: 'Please agree to the terms of use first.',
    unknown: 'We do not know these details. Check them for typing mistakes, or ask at the front desk.',
    not_yet_valid: 'This is not valid yet. Ask at the front desk when it starts.',
    expired: 'This has expired. The front desk can give you a new one.',
    used_up: 'The time or data is used up. The front desk can give you more.',
    too_many_devices: 'This is already in use on as many devices as it allows. Sign out on one of them first.',
    disabled: 'This is switched off. Please ask at the front desk.',
    too_often: 'Too many tries. Wait a few minutes, then try again.',
    address: 'This is not an e-mail address. Check it for typing mistakes.',
    number: 'This is not a mobile number. Check it. If it is foreign, begin with + and the country code.',
    wrong_code: 'This is not the code of our last message. Check it for typing mistakes.',
    code_over: 'This code has expired. Ask for a new one.',
    wait: 'A message is on its way. Wait a minute before you ask for another.',
    no_more_messages: 'No more messages can be sent today. Sign in another way, or ask at the front desk.',
    unconfirmed: 'Your address is not confirmed yet. Open the link in our e-mail first.',
    failed: 'Something went wrong on our side. Please try again in a moment.',
  },
  upgrading_title: 'Back in a moment',
  upgrading: 'The Wi-Fi sign-in is being updated. Keep this page open: it goes on by itself.',
  busy: 'Very many guests are signing in right now. Keep this page open: it goes on by itself.',
  unregistered_title: 'This network is not set up yet',
  unregistered: 'We cannot tell which network you are on, so we cannot get you online. Please tell the front desk.',
  hand_over_title: 'One more step',
  connecting_title: 'Connecting…',
  connecting: 'This takes a few seconds. Keep this page open: it goes on by itself.',
  delayed_title: 'The network does not answer',
  delayed:
    'You are signed in, but the network’s control does not answer. We keep trying, and this page goes on by itself. ' +
    'If it takes long, tell the front desk.',
  away_title: 'Join the guest Wi-Fi first',
  away: 'Connect to the guest Wi-Fi in the settings of your device. This page then opens by itself, and you can sign in.',
  away_network: (network) =>
    `Connect to the Wi-Fi “${network}” in the settings of your device. This page then opens by itself, and you can sign in.`,
  online_title: 'You are online',
  online: 'Enjoy your stay. You may close this window.',
  status_title: 'Your connection',
  time_left: 'Time left',
  data_left: 'Data left',
  no_limit: 'No limit',
  go_on: 'Continue',
  consent: {
    link: 'Withdraw my consent',
    title: 'Withdraw your consent?',
    given: 'You agreed to this:',
    asked: 'We will then send you no more such messages. You stay online.',
    withdraw: 'Withdraw',
    back: 'Back',
    done_title: 'Your consent is withdrawn',
    done: 'We will send you no more such messages. You stay online.',
  },
  sign_out: 'Sign out',
  signed_out_title: 'You are signed out',
  signed_out: 'To use the Wi-Fi again, just sign in once more.',
  signing_out_title: 'You are being signed out',
  signing_out:
    'We have asked the network to sign you out, and it has not answered yet. Turning Wi-Fi off on your device works, too.',
  ended_title: 'You are offline',
  outside: {
    join: 'You sign in from inside the network, so connect to it before you go on.',
    steps: [
      { title: 'Open the Wi-Fi settings', text: 'of your phone, tablet or computer.' },
      {
        title: 'Choose the guest network',
        text: 'Its name is on the card in your room, on a sign, or on your voucher.',
      },
      { title: 'Sign in', text: 'The page for it opens by itself. If it does not, open this address once more.' },
    ],
    join_help:
      'Not sure which network is meant, or nothing happens? Ask at the front desk: they can see what is wrong.',
    nothing_title: 'Nothing here',
    nothing: 'There is no page at this address. Check it for typing mistakes.',
    no_sign_in_title: 'Signing in does not work right now',
    no_sign_in: 'Please tell the front desk: they know whom to call.',
    unreadable: 'We could not read what was sent. Please go back and try again.',
    broken_title: 'Something went wrong',
    broken: 'It is our fault, not yours. Please try again in a moment.',
    reference: 'Reference',
    how: 'How to get online',
  },
  refresh: 'Refresh',
  sign_in_again: 'Sign in again',
}
