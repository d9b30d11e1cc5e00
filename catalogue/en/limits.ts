// English sentences about limits that gateways do not keep, and about when guests are off.

export const limits = {
  time: 'time',
  data: 'data',
  speed: 'speed',
  'not-kept-one': 'The {what} limit of “{pack}” is not enforced by {by}.',
  'not-kept-several': 'The {what} limits of “{pack}” are not enforced by {by}.',
  'later-one': 'The {what} limit of “{pack}” only applies at {by} from the next sign-in on.',
  'later-several': 'The {what} limits of “{pack}” only apply at {by} from the next sign-in on.',
  'off-one': '{names} cannot disconnect guests early: they stay online until their granted time is over, {most}.',
  'off-several': '{names} cannot disconnect guests early: they stay online until their granted time is over, {most}.',
  'all-time': 'which is all the time they have',
  minutes: '{minutes} minutes at most',
  others: '{count} others',
} as const
