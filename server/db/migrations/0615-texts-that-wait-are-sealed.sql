-- The text of a mail or text message holds passwords, codes and links that sign somebody in until it leaves. It is sealed where no node
-- of a release before may be at work, which sends what stands in `text`.
alter table outbox_mails add column sealed_text bytea;
alter table outbox_texts add column sealed_text bytea;
comment on column outbox_mails.sealed_text is 'The text, until it is sent or given up, bound to the address; `text` then stands for it.';
comment on column outbox_texts.sealed_text is 'The text, until it is sent or given up, bound to the number; `text` then stands for it.';
