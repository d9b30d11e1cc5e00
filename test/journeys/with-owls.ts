// With owls: loaded into a Foyer before it starts, so that it has two kinds of connections that no release has: one by consent, with a
// company in the same process, and one by a key.
import { openOwls } from '#test/providers/owls.ts'
import { openPigeons } from '#test/providers/pigeons.ts'

await openOwls((address) => new URL(address).pathname === '/customer/connections')
await openPigeons()
