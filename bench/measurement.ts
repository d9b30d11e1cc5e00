// Measurement: a write through the API compared with the raw insert of the same rows, and its report.
export interface Measured {
  what: string
  api_ms: number
  raw_ms: number
  ratio: number
  ratio_max: number
}

/** Prints one line; the run fails if the ratio is above its limit. */
export function report({ what, api_ms, raw_ms, ratio, ratio_max }: Measured) {
  const times = `${Math.round(api_ms)} ms through the API, ${Math.round(raw_ms)} ms raw`
  console.log(`${what}: ${times}: ${ratio.toFixed(2)} times (at most ${ratio_max})`)
  if (ratio > ratio_max) process.exitCode = 1
}

export const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
