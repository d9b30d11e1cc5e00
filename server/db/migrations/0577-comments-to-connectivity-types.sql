-- What the tables from access_passes to connectivity_types are, for whoever looks at them with psql.

comment on table access_passes is 'What a gateway is given instead of the guest''s own secret: made by the portal, good once, for 90 seconds, one gateway and one device. RADIUS resolves it to the account, voucher, device or guest behind it.';
comment on table access_points is 'The boxes of a gateway that is a controller or a cloud, each known by its MAC address alone: accepted by a person, or a claim of a redirect or a packet.';
comment on column access_points.accepted_at is 'Null: a claim that nobody has accepted yet.';
comment on column access_points.name is 'As redirects call it.';
comment on table account_passwords is 'Passwords of accounts, sealed with the installation''s key; editors may read them.';
comment on table account_types is 'Look-up: regular or conference. Ids are fixed.';
comment on table accounting_contacts is 'A copy of an accounting provider''s contacts; status and type are the provider''s words.';
comment on table accounting_integrations is 'Connections to accounting providers, each to one organisation.';
comment on table accounts is 'Guests who sign in with a name and a password, at one property.';
comment on table activity is 'What every write leaves behind: who did what, when, to which record, before and after. Append-only; it refers to nothing, because it outlives what it names.';
comment on column activity.group_id is 'Whose line it is: a group''s users see their own.';
comment on column activity.property_id is 'Whose line it is: a property''s users see their own.';
comment on table address_confirmations is 'The newest link of a login that confirms its address; it works until it is too old.';
comment on table api_key_secrets is 'Hashes of API keys; only the function that admits a caller looks for them.';
comment on table api_keys is 'Keys of users, groups and properties for programs. A key reaches no further than its owner and its property_ids.';
comment on table auth_methods is 'Look-up: ways to sign in at a portal. Ids are fixed.';
comment on table billing_invoice_lines is 'Which lines of a run stand in which draft: a line stands in one alone, so nothing is sent twice.';
comment on table billing_invoices is 'Drafts in the books: an approved run is sent once to each contact.';
comment on table billing_lines is 'One property in one calendar month of a run, with the name that the property had.';
comment on table billing_nights is 'What each night of a line came to, by which version of it. Of an approved run a night is billed once; a correction names it again.';
comment on table billing_runs is 'What properties owe for a period: a draft, or approved and frozen.';
comment on table collection_properties is 'Which properties are in which collection.';
comment on table collection_users is 'Who looks after the properties of a collection. It changes nobody''s rights.';
comment on table collections is 'Named sets of properties and people: the customer''s, across groups, or a group''s own.';
comment on table connectivity_types is 'Look-up: what connects a property to the internet. Ids are fixed.';
