// English sentences about limits that gateways do not keep, and about when guests are off.

export const limits = {
  time: 'time',
  data: 'data',
  speed: 'speed',
  'not-kept-one': 'The {what} limit of “{pack}” is not kept by {by}.',
  'not-kept-several': 'The {what} limits of “{pack}” are not kept by {by}.',
  'later-one': 'The {what} limit of “{pack}” holds at {by} from the next sign-in on only.',
  'later-several': 'The {what} limits of “{pack}” hold at {by} from the next sign-in on only.',
  'off-one':
    '{names} cannot be told to put anybody off: whoever is online through it is off at the end of the granted length, {most}.',
  'off-several':
    '{names} cannot be told to put anybody off: whoever is online through them is off at the end of the granted length, {most}.',
  'all-time': 'which is all the time that they have',
  minutes: '{minutes} minutes at most',
  others: '{count} others',
} as const
