-- What leaves: a mail or a text message knows who asked for it and by which right, so that both are asked again when it goes.

-- asked_by_user_id, asked_by_key_id, asked_right: of the call that queued it, `accounts:desk`; null where nobody asked, such as a
-- notice of one's own sign-in. property_id: where it belongs, if its record does not say so. counted: against the limits; what waits
-- for its turn is counted when that comes.
alter table outbox_mails
  add column asked_by_user_id integer,
  add column asked_by_key_id integer,
  add column asked_right text,
  add column property_id integer,
  add column counted boolean not null default true,
  add foreign key (customer_id, asked_by_user_id) references users (customer_id, id) on delete cascade,
  add foreign key (customer_id, asked_by_key_id) references api_keys (customer_id, id) on delete cascade,
  add foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade;
alter table outbox_texts
  add column asked_by_user_id integer,
  add column asked_by_key_id integer,
  add column asked_right text,
  add column property_id integer,
  add column counted boolean not null default true,
  add foreign key (customer_id, asked_by_user_id) references users (customer_id, id) on delete cascade,
  add foreign key (customer_id, asked_by_key_id) references api_keys (customer_id, id) on delete cascade,
  add foreign key (customer_id, property_id) references properties (customer_id, id) on delete cascade;
create index on outbox_mails (customer_id, asked_by_user_id) where asked_by_user_id is not null;
create index on outbox_mails (customer_id, asked_by_key_id) where asked_by_key_id is not null;
create index on outbox_mails (customer_id, property_id) where property_id is not null;
create index on outbox_texts (customer_id, asked_by_user_id) where asked_by_user_id is not null;
create index on outbox_texts (customer_id, asked_by_key_id) where asked_by_key_id is not null;
create index on outbox_texts (customer_id, property_id) where property_id is not null;

alter table undelivered
  drop constraint undelivered_kind_check,
  drop constraint undelivered_why_check,
  add constraint undelivered_kind_check check (kind in ('invitation', 'guest_sign_in', 'voucher_codes', 'how_to_sign_in',
    'guest_code', 'report', 'schedule_notice', 'receiver_question', 'password_reset', 'address_confirmation', 'sign_in_notice',
    'other')),
  add constraint undelivered_why_check check (why in ('nobody', 'refused', 'unreachable', 'late', 'taken_back'));
