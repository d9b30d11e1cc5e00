// Slow senders: clients that have not sent a whole request in time are dropped, so that connections are not held for nothing.

const request_max_ms = 30_000
/** How often connections are checked. Node's default of half a minute would double the time that a sender may take. */
const checked_every_ms = 1000

/** Options for Fastify. Node answers 408 and closes the connection. */
export const dropSlowSenders = (max_ms = request_max_ms) => ({
  requestTimeout: max_ms,
  http: { headersTimeout: max_ms, connectionsCheckingInterval: Math.min(checked_every_ms, max_ms) },
})
