// A refusal: why Foyer will not start, in sentences that tell the operator what to do. Shown without a stack trace.

export class Refusal extends Error {
  override name = 'Refusal'
}
