// Patient start: options for Fastify, whose limit of ten seconds for each part of an application would end a start on a slow machine.

/**
 * Our parts register hundreds of calls and read files at once. A machine that is busy with the rest of the installation's start may take
 * longer for that than any limit: it is slow, and nothing is wrong with it. A start that hangs is seen by whoever waits for readiness.
 */
export const patientStart = { pluginTimeout: 0 }
