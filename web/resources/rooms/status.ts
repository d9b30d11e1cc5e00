// Room status: what each status of a room means, shown next to the choice.
export const roomStatus = {
  active: 'Guests can be checked in.',
  disabled: 'Out of use. Guests already in it stay.',
  draft: 'Still being set up.',
}
