-- The comment named a file that is gone; what is due is listed where applications are put together.

comment on column due_work.kind is 'The name of a kind; server/apps/due-work.ts lists them.';
