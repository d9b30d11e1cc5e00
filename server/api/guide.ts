// Guide: the description of the API: its conventions. Its areas are in area-guide.ts, a line for each call in call-guide.ts.

export const guide = `
Everything that Foyer's own app does uses these calls.

## First steps

1. Sign in: \`POST /auth/login\` with \`email\` and \`password\` answers \`data.access_token\` and \`data.user\`.
   Where it answers \`data.challenge\` instead, send that with a code to \`POST /auth/second-factor\`.
2. Send the token with each call as \`Authorization: Bearer …\`, and the user's owner type as \`App-Context\`:
   \`customer\`, \`group\` or \`property\`. It grants nothing; it must be the user's own.
3. Ask: \`POST /properties\` with \`{}\` answers the first page of properties.

Programs use an API key instead. It is made in the profile, or on the page of a group or a property:

\`curl https://…/api/v1/properties -H "Authorization: Bearer foyer_…" -H "Content-Type: application/json" -d '{}'\`

It needs no \`App-Context\`. \`read\`, \`write\` (reads too) and \`full\` (deletes too) apply to all areas, or to one:
\`write:rooms\`. No key has access to users, teams, keys, integrations, billing, undelivered messages, webhooks,
due work, the activity log or \`/auth\`.

Nearly every call is a POST with JSON in and JSON out, even one that only reads. Answers are \`{"data": …}\`, and for
lists \`{"data": […], "meta": {…}}\`. Ids are positive whole numbers; times are ISO 8601 with their offset.

## Lists

A list takes \`per_page\` (50 unless given, at most 200), \`searchValue\`, \`filters\`, \`sort\` (a leading minus reverses
it) and, in \`params\`, the parent whose records are wanted: \`{"params": {"group_id": 3}}\`. It begins with the newest.

For the next page send \`meta.next_cursor\` as \`cursor\` and everything else unchanged, until \`next_cursor\` is null. Send
the first page's \`meta.fetched_at\` as \`lastFetchedAt\`, too: rows made in the meantime stay out, and \`meta.newer\` counts
them. \`meta.total\` is counted up to 1,000; beyond that \`more\` is true.

Calls that end in \`-list\` answer names for dropdowns: GET answers all of them, POST a list.

## Changes

An update changes the fields that it names; absent fields stay as they are, and \`null\` clears. With \`was\`, the values that
you have read, it is refused with 409 if somebody else has changed them since. Calls with \`ids\` do all or nothing.

Send \`Idempotency-Key\` with what must not happen twice: the same key and the same request get the first answer again.

## Refusals

A refusal is \`{"message": …}\`, with \`errors\` for each field that is wrong. 401 only means that the token is missing or
no longer valid. What is out of reach looks like what is not there: 404 for the record itself, 422 for one that a field points at.
A call that gives away access or data (a key that may delete, another editor, guests' data) is answered 403 with
\`asks: "password"\` if the person last gave theirs over an hour ago: send it to \`POST /auth/prove\`, and repeat the call.
Keys are not asked.

429 and 503 say in \`Retry-After\` how many seconds to wait. Answers may gain new fields; ignore those you do not know.
`.trim()

/** The description of a field of this name that has none of its own. */
export const fieldNotes: Record<string, string> = {
  count: 'With `per_page` 0: `meta.total` alone, exact up to 100,000.',
  cursor: '`meta.next_cursor` of the page before.',
  draft: 'Incomplete: it may lack what an active record needs. Activating clears it.',
  exclude_ids: 'Means the same as `excludeIds`.',
  excludeIds: 'Ids of rows to leave out.',
  fetched_at: 'When the list was read; send it as `lastFetchedAt` with the pages after it.',
  filters: 'By name, one value or several, any of which may match. An unknown name is refused.',
  lastFetchedAt: '`meta.fetched_at` of the first page: rows made later stay out.',
  more: 'There are more than `total` says.',
  newer: 'Rows made since `lastFetchedAt`.',
  next_cursor: 'Send it as `cursor` for the next page. Null: this is the last one.',
  params: 'The parents whose records are wanted.',
  per_page: 'Rows a page.',
  searchValue: 'Only rows whose text holds this.',
  shouldExclude:
    'With `params.collection_id`: leave out the members of that collection, and what it cannot hold. ' +
    'Among collections, with `params.property_id`: leave out those that hold that property, and those that cannot.',
  sort: 'A leading minus reverses the order.',
  status: '`draft` while incomplete, else `active` or `disabled`.',
  total: 'The matching rows less the excluded ones (with a cursor: those after it), counted up to 1,000.',
  was: 'The values that you have read of the fields that you change. If one has changed since, the answer is 409.',
}
