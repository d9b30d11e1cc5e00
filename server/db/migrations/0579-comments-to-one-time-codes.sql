-- What the tables from guest_devices to one_time_codes are, for whoever looks at them with psql.

comment on table guest_devices is 'Devices on which an account, a voucher or a guest is in use, for the package''s limit and for coming back without a form.';
comment on table guest_first_days is 'When each guest, under a pseudonym, was first and last at a property.';
comment on table guests is 'People who signed in at a portal by themselves.';
comment on table hour_ledgers is 'Until when the hours of each customer are counted.';
comment on table idempotency_keys is 'Answers to requests that carried a key, so that a repetition gets the first answer. Without one, the first still runs.';
comment on table import_rows is 'What each row of an import held before and after, so that it can be undone for a day.';
comment on column import_rows.before is 'What the columns held that the import writes, a password sealed; null where the import made the record.';
comment on column import_rows.left_as is 'A digest of the record as the import left it: by it a later change shows.';
comment on table imports is 'Files that somebody brought in, and what came of each.';
comment on table installation is 'One row: which secret keys all nodes seal with, and keys that stay when those are changed.';
comment on table integration_tokens is 'Tokens of connections, sealed, and who is renewing them.';
comment on table invitations is 'Links by which people accept that they become users.';
comment on table login_addresses is 'Networks from which a login has been used: guesses from elsewhere lock nobody out there.';
comment on table login_devices is 'Browsers in which a login has been used, by a mark that they keep: a sign-in from another one is told by mail.';
comment on table logins is 'People. A user is their place with one owner.';
comment on table mac_categories is 'A customer''s kinds of devices, and which of them are kept off its networks.';
comment on table mac_category_templates is 'Copied into the mac_categories of each new customer.';
comment on table marketing_integrations is 'Connections to marketing providers, each to one audience.';
comment on table marketing_members is 'How far each guest who agreed has come on the way to an audience. An erased guest leaves the key that the provider knows them by, until they are erased there.';
comment on table night_ledgers is 'From when a property has nights, since when they are kept, and until when that is done. It stays when the property is removed.';
comment on table oauth_states is 'People on their way to a provider to give consent: good once, for ten minutes, for the session that began it.';
comment on table occupancy_nights is 'Which rooms were let each night, on which terms. Versions are added, never changed: bills are made from them.';
comment on table one_time_codes is 'Codes sent by text message or e-mail: a keyed hash, ten minutes, five tries, one alive for each address.';
