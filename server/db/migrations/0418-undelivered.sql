-- Undelivered: mails and text messages that could not be delivered, until somebody has seen to them. What they said is not kept.

-- kind: of what sort a message is. about_id: which record it is about; its kind says of which table. good_until: of a link in it.
alter table outbox_mails add column kind text not null default 'other';
alter table outbox_mails add column about_id integer;
alter table outbox_mails add column good_until timestamptz;
alter table outbox_texts add column kind text not null default 'other';
alter table outbox_texts add column about_id integer;

-- Each goes with its message: by its age, and with the guest who is erased.
create table undelivered (
  id integer generated always as identity primary key,
  customer_id integer not null references customers,
  mail_id bigint,
  text_id bigint,
  channel text not null generated always as (case when mail_id is null then 'text' else 'mail' end) stored,
  recipient text not null,
  recipient_name text,
  kind text not null check (kind in ('invitation', 'guest_sign_in', 'voucher_codes', 'how_to_sign_in', 'guest_code', 'report',
    'password_reset', 'address_confirmation', 'sign_in_notice', 'other')),
  about_id integer,
  why text not null check (why in ('nobody', 'refused', 'unreachable', 'late')),
  attempts integer not null,
  written_at timestamptz not null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  search text not null generated always as (search_text(recipient || ' ' || coalesce(recipient_name, ''))) stored,
  unique (customer_id, id),
  foreign key (customer_id, mail_id) references outbox_mails (customer_id, id) on delete cascade,
  foreign key (customer_id, text_id) references outbox_texts (customer_id, id) on delete cascade,
  check (num_nonnulls(mail_id, text_id) = 1)
);
create index on undelivered (customer_id, mail_id) where mail_id is not null;
create index on undelivered (customer_id, text_id) where text_id is not null;
create index on undelivered (customer_id, about_id, kind) where deleted_at is null;
select make_tenant_table('undelivered'), make_list('undelivered'), make_searchable('undelivered');
