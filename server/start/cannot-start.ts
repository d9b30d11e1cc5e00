// Why Foyer cannot start, in sentences that tell the operator what to do. Shown without a stack trace.

export class CannotStart extends Error {
  override name = 'CannotStart'
}
