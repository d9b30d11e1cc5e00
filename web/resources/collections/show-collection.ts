// Show collection: shows the server's answer on a collection's page and in its row at once.
import * as collections from '#contract/collections.ts'
import type { Output } from '#contract/endpoint.ts'
import { showChange } from '#web/kit/call/query-client.ts'

export const showCollection = (changed: Output<typeof collections.get>) =>
  showChange({ one: collections.get.path, list: collections.list.path }, changed.id, changed)
