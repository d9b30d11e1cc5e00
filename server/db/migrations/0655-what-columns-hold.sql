-- What columns hold whose name does not tell it, for whoever looks at them with psql.

comment on column account_passwords.sealed_password is
  'AES-256-GCM with the installation''s key, bound to this row; so is every column that begins with sealed.';

comment on column accounting_integrations.tenant_id is 'The organisation that was chosen at the provider.';
comment on column accounting_integrations.contacts_since is 'Contacts that changed later, by the provider''s clock, are still to be read.';
comment on column accounting_integrations.short_code is 'The provider''s word for the organisation in addresses of its pages.';

comment on column accounts.username_key is
  'The username in the form in which two are the same (same_fold): what a sign-in is looked up by.';
comment on column accounts.in_dispute is 'The property''s system says that the guest is in dispute: packages may refuse them.';
comment on column accounts.room_number is 'The number of the room, kept by a trigger so that lists need not read rooms.';

comment on column activity.before is 'The fields that changed, as they were.';
comment on column activity.after is 'The fields that changed, as they became; of what has no fields, what was done.';
comment on column activity.principal_id is 'Of the API key, gateway, guest or job that did it, by principal_kind.';
comment on column activity.session is 'The handle of the session in which it was done.';

comment on column address_confirmations.token_hash is 'SHA-256 of the key in the link.';

comment on column api_key_secrets.token_hash is 'SHA-256 of the key, which nobody can read again.';

comment on column api_keys.token_start is 'The first characters of the key, by which its owner knows it.';
comment on column api_keys.permissions is 'Areas and actions as in contract/permissions.ts; it does nothing else.';
comment on column api_keys.property_ids is 'The properties that it is limited to; empty: all in reach of its owner.';

comment on column attention_marks.kind is 'The kind of entry that was dealt with or put off.';
comment on column attention_marks.put_off_until is 'When it comes again; null: it was dealt with, until it happens anew.';

comment on column billing_invoices.idempotency_key is 'What the provider takes a repetition by, so that a draft is made once.';
comment on column billing_invoices.tenant_id is 'The provider''s organisation that it was sent to.';
comment on column billing_invoices.is_unsure is 'It was sent and no answer came; it is looked up before it is sent again.';
comment on column billing_invoices.claim is 'The try that is at it, until claimed_until; others leave it alone.';
comment on column billing_invoices.gone_as is 'What the provider says of a draft that was taken away there; it is never taken back.';
comment on column billing_invoices.replaced_at is 'When its lines were asked for anew.';
comment on column billing_invoices.last_fix is
  'Where a person mends what the books refused: at the property''s contact, or at the connection.';
comment on column billing_invoices.asked_right is 'The right by which it was asked for; asked again when it goes.';

comment on column billing_lines.unit_days is 'Nights times units that are billed.';

comment on column billing_nights.floor_units is 'The units that the minimum, or the holiday''s percentage, comes to.';
comment on column billing_nights.billable_units is 'The occupied units, at least floor_units and at most all.';
comment on column billing_nights.version is 'Of the night in occupancy_nights.';
comment on column billing_nights.reason is 'What decided: `occupied`, `minimum` or `holiday`.';

comment on column billing_runs.property_ids is 'The properties that it was drawn for.';

comment on column connections.needs_reconnect is 'Consent has ended: nothing is asked until a person gives it anew.';
comment on column connections.failures is 'Tries in vain since one went well.';

comment on column consent_records.wording is 'The sentence that they agreed to, as they saw it.';
comment on column consent_records.terms_version is 'The number of the portal''s terms; null: not of terms.';
comment on column consent_records.confirmed_at is 'When the address was proven that it is about.';

comment on column controller_grants.state is '`waiting` until the controller has answered.';
comment on column controller_grants.counted_from is 'When its present count began, by the controller''s clock.';
comment on column controller_grants.bytes_up_before is 'What its former counts had come to.';
comment on column controller_grants.bytes_down_before is 'What its former counts had come to.';

comment on column countries.several_clocks is 'Its zones do not all show the same time, so that a property''s is to be given.';

comment on column customer_hours.hour is 'Its beginning.';
comment on column customer_hours.online is 'The sum of its properties'' peaks of that hour.';

comment on column customers.sample_of is 'The customer for whose people this sample was made; null: it is none.';
comment on column customers.sample_day is 'Of a sample: the day by which its stays are dated; null: it is being deleted.';
comment on column customers.confirmed_at is 'When an address of its people was proven: its mails to others wait for that.';

comment on column gateway_controllers.polls_as is 'The names by which it asks, learnt from its redirects, the newest first.';
comment on column gateway_controllers.polled_from is 'Where it asked from, so that nobody else takes what is meant for it.';

comment on column gateways.boxes is
  'By name: what a box''s clock is behind ours, in milliseconds, since when that is in doubt, and when it last began anew.';
comment on column gateways.asked_until is 'Requests to it are paced over all nodes: the next packet goes out no sooner.';
comment on column gateways.silent_since is 'When it was last heard, while it counts as silent.';
comment on column gateways.redirected_at is 'When it sent a guest to the portal after it was last heard.';
comment on column gateways.guests_sent_at is 'When it last sent a guest to the portal.';
comment on column gateways.refused_for is 'Why its packets were last left unanswered.';
comment on column gateways.takes_unsigned is 'Old software that signs no access request: it is answered all the same.';
comment on column gateways.counts_from_gateway_side is 'Its counters are the gateway''s: what it received is what the guest sent.';
comment on column gateways.disconnect_port is 'The UDP port at which it takes our requests.';
comment on column gateways.last_address is 'Where its packets last came from.';
comment on column gateways.portal_label is 'The label of its own portal host under PORTAL_HOSTS.';

comment on column guest_day_sums.auth_method_ids is 'All the ways in which they signed in that day; 0: none known.';

comment on column hour_ledgers.counted_until is 'Hours that ended until then are counted.';

comment on column idempotency_keys.body_hash is 'A hash of the request: another one with the same key is refused.';
comment on column idempotency_keys.sealed_answer is 'The first answer, sealed, for 24 hours.';

comment on column import_rows.removed is 'The import took the record out.';

comment on column imports.problems is 'Lines that were not taken, with why; forgotten after 24 hours.';
comment on column imports.undo_until is 'Until when it can be undone; null: no more.';
comment on column imports.moved_out is 'Guests whom a list of rooms no longer had.';

comment on column installation.key_ids is 'Of the secret keys in use, the one that seals first.';
comment on column installation.sealed_fingerprint_key is
  'The key of fingerprints of voucher codes and recovery codes; it stays when the secret key is changed.';

comment on column integration_tokens.renewal is 'The node that is renewing them, until renewing_until; others wait.';

comment on column invitations.token_hash is 'SHA-256 of the key in the link.';

comment on column login_addresses.network is 'An IPv4 address, or the /64 of an IPv6 one.';

comment on column login_devices.device_hash is 'SHA-256 of the login and the mark that the browser keeps.';

comment on column logins.password_hash is 'Argon2id, with its salt and parameters.';
comment on column logins.last_user_id is 'The user that acted last, with whom the next sign-in begins.';
comment on column logins.taken_off is 'The address that its holder took off, which cannot be given again.';
comment on column logins.taken_off_at is 'When; null once another address was given. Seven days later the sign-up ends.';

comment on column marketing_integrations.changes_since is 'What changed later at the provider, by its clock, is still to be read.';
comment on column marketing_integrations.looked_at is 'Up to when our own consents were looked through.';

comment on column marketing_members.subscriber_key is
  'What the provider knows the guest by; it stays when they are erased here, until they are erased there.';
comment on column marketing_members.state is '`leaving`: to be taken out at the provider; `refused`: it does not take them.';
comment on column marketing_members.due_at is 'When it is tried next; null: as soon as it waits.';
comment on column marketing_members.provider_state is 'How the provider knows them, in its own words.';
comment on column marketing_members.returns is 'They left, and agreed again.';
comment on column marketing_members.sent_as is 'A digest of the names that were sent.';

comment on column night_ledgers.begins_on is 'The first date that the property has a night of.';
comment on column night_ledgers.kept_from is 'The first date from which nights are written.';
comment on column night_ledgers.kept_until is 'The last date whose night is written.';

comment on column oauth_states.state_hash is 'SHA-256 of the state that comes back from the provider.';
comment on column oauth_states.integration_id is 'The connection that is connected anew; null: a new one.';

comment on column occupancy_nights.version is 'From 1; a correction is one more, and the one before is superseded.';
comment on column occupancy_nights.total_units is 'Null, as all numbers: nobody knows; unknown_because says why.';
comment on column occupancy_nights.rate_per_unit is 'For a unit and night, in the currency, as it was then.';

comment on column one_time_codes.code_hash is 'A keyed hash of the code.';
comment on column one_time_codes.token_hash is 'SHA-256 of the key in the link that confirms the same address.';
comment on column one_time_codes.attempts is 'Codes that were tried; after five it is over.';

comment on column outage_notices.over_told_at is 'When they were told that it is over.';

comment on column packages.volume_gb is 'The allowance of a period, in GB of 10^9 bytes; 0: no limit.';
comment on column packages.volume_type is 'The unit that a person typed it in.';
comment on column packages.speed_mbps is 'Each way, in Mbit/s; 0: no limit.';
comment on column packages.max_users is 'Devices at once; 0: no limit.';
comment on column packages.session_time_hrs is 'The time of a period, in hours; 0: no limit.';
comment on column packages.idle_timeout_hrs is 'After as many hours without traffic the gateway ends the session; 0: it decides itself.';
comment on column packages.recurs is 'How often the allowance begins anew; `none`: it is used once.';

comment on column portal_versions.zip_number is 'The import of custom pages that it shows.';

comment on column portals.zip_number is 'The import of custom pages that is shown.';
comment on column portals.terms_version is 'The number of the present wording of the terms.';
comment on column portals.headlines is 'The headline by language.';

comment on column properties.dependents_removed_at is 'When all that goes with the removed property was removed, too.';
comment on column properties.time_zone_assumed is 'The zone is that of the country, and nobody has said that it is right.';
comment on column properties.rate_per_unit is 'For a unit and night, in the property''s currency.';
comment on column properties.max_accounts is 'How many accounts it may have; 0: no limit.';

comment on column property_hours.hour is 'Its beginning.';
comment on column property_hours.online is 'Guests online at once, at most.';
comment on column property_hours.online_by_methods is
  'The same among those who signed in by some methods alone: a key is the sum of 2^(method - 1). Null: counted before it was kept.';
comment on column property_hours.tries is 'Sign-in attempts, but of devices whose guest has not seen the page yet.';

comment on column property_interfaces.uuid is 'In the address to which its system posts.';

comment on column property_links.heard_at is 'When the system last said anything.';
comment on column property_links.asked_until is 'Up to when a polled system was asked what has changed, by its clock.';
comment on column property_links.asked_as is 'What it was asked as: under other settings all stays are asked for anew.';
comment on column property_links.key_tried is 'A hash of the key that a link was last tried with.';
comment on column property_links.key_taken is 'A hash of the key with which a link last came up.';
comment on column property_links.key_doubted is 'The key that was taken before did not bring the link up: it is tried once more.';
comment on column property_links.pending_moves_out is 'How many guests the pending list would move out.';
comment on column property_links.held_until is 'When another node may take the link.';

comment on column property_states.severity is 'The place of the word, the worst first: lists are sorted by it.';

comment on column report_runs.asked is 'The fields of a report that is no record, or that stand in for those of its record.';
comment on column report_runs.due_on is 'The day on which its schedule was due; null: a person asked.';
comment on column report_runs.kept_until is 'Its file is there until then.';
comment on column report_runs.touched_at is 'When whoever makes it was last seen at work.';
comment on column report_runs.names_guests is 'Its file says who guests were: it goes when one of them is erased.';
comment on column report_runs.complete_to is 'The last day that is complete in its file.';
comment on column report_runs.look_again_at is 'When to look whether what was missing has come.';
comment on column report_runs.completes_run_id is 'The run whose file was incomplete, and that this one stands in for.';
comment on column report_runs.progress is 'In percent.';

comment on column reports.next_run_at is 'When it is due; null: it is not scheduled.';
comment on column reports.owner_checked_at is 'When the owner''s rights were checked; null: something they depend on has changed since.';
comment on column reports.failures is 'Runs that failed since one went well.';

comment on column rooms.number_key is 'The number in the form in which it is looked up (find_fold).';
comment on column rooms.occupants is 'Guests and accounts in the room, counted by a trigger.';

comment on column second_factors.last_step is 'The last step of 30 seconds whose code was taken: none is taken twice.';

comment on column stays.stay_key is 'The property system''s own key; null: no system has told it.';
comment on column stays.told_at is 'When the system last told it.';
comment on column stays.until_time is 'The time of departure by the property''s clock; null: until the day is over.';
comment on column stays.devices is 'Devices at once that the desk gave; null: as the package says.';

comment on column unregistered_gateways.why is '`asks` by RADIUS; else what was wrong with a guest''s redirect.';

comment on column used_quotas.quota is 'What is counted, and of whom.';
comment on column used_quotas.until is 'When counting begins anew.';

comment on column users.quiet_from is 'No outage is told between quiet_from and quiet_until of the company''s day.';

comment on column voucher_codes.sealed_code is 'The code, sealed.';

comment on column vouchers.code is 'Plain, until it is sealed: null then.';
comment on column vouchers.taken_back_at is 'When the desk took it back: it lets nobody in any more.';

comment on column webhook_secrets.former_until is 'Until when the former secret signs, too.';

comment on column webhooks.failing_since is 'When the failures in a row began; null: it went well last.';
