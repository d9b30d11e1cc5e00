// Room status: what each status of a room means, said beside the choice.
export const roomStatus = {
  active: 'Guests can be checked in.',
  disabled: 'Out of use. Whoever is in it stays in it.',
  draft: 'Still being set up.',
}
