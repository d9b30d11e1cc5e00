// Slow senders: whoever has not sent the whole of a request in time is let go, so that connections are not held for nothing.

const request_max_ms = 30_000
/** How often connections are looked at. Node's own half a minute would double what a sender may take. */
const looked_at_ms = 1000

/** What Fastify is to be opened with. Node answers 408 and closes the connection. */
export const letGoOfSlowSenders = (max_ms = request_max_ms) => ({
  requestTimeout: max_ms,
  http: { headersTimeout: max_ms, connectionsCheckingInterval: Math.min(looked_at_ms, max_ms) },
})
