// Changed: a collection's page and its row show what the server answered, at once.
import * as collections from '#contract/collections.ts'
import type { Output } from '#contract/endpoint.ts'
import { showChange } from '#web/kit/call/query-client.ts'

export const showCollection = (changed: Output<typeof collections.get>) =>
  showChange({ one: collections.get.path, list: collections.list.path }, changed.id, changed)
