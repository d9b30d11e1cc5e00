-- What columns hold whose name does not tell it, for whoever looks at them with psql: of the tables that grow with the traffic. Those of
-- others are another migration, so that neither waits for what holds a table of the other.

comment on column access_passes.username is 'What the gateway sends in place of the guest''s own name.';
comment on column access_passes.sealed_password is
  'What the gateway sends in place of the guest''s own secret; sealed with the installation''s key.';
comment on column access_passes.expires_at is 'When it cannot be used any more: 90 seconds after it was made.';
comment on column access_passes.status_key_hash is 'SHA-256 of the key in the address of the guest''s status page.';
comment on column access_passes.signed_out_at is 'When the guest pressed the button there.';

comment on column due_work.urgent is 'It goes before what is not, of all customers.';
comment on column due_work.tries is 'Those that counted.';
comment on column due_work.next_at is 'When it is due; while it is tried, when another node may take it.';
comment on column due_work.lease is 'Of the try that is under way; who has another is too late.';
comment on column due_work.is_unsure is 'A try of which no answer came may have done it.';

comment on column events.sequence is 'Of its object, from 1, whatever the type of the event.';
comment on column events.guest_id is 'Whom it is about, so that an erasure finds it.';
comment on column events.uuid is 'What the receiver knows it by, the same at each repetition.';

comment on column guest_days.day is 'By the property''s clock.';
comment on column guest_days.guest is 'The guest''s pseudonym (guest_pseudonym); a random one once they are erased.';

comment on column guest_devices.waits_until is
  'A place within the package''s limit is kept for the device until then, before its session is reported.';
comment on column guest_devices.package_id is 'What the device is let in with when it comes back without a form.';
comment on column guest_devices.signed_out_at is 'When its guest pressed the button; it has to sign in again.';

comment on column guest_first_days.guest is 'The guest''s pseudonym (guest_pseudonym); a random one once they are erased.';
comment on column guest_first_days.last_day is 'The row goes with the days of guests up to it; who comes later counts as new again.';

comment on column guests.room_guest_id is 'The person of the property''s system who they signed in as, by room and name.';
comment on column guests.waiting_mac_address is
  'The device on which an address was typed that nobody has confirmed yet: a claim, which counts for nobody else.';
comment on column guests.grace_ends_at is 'Until when they are online to read the mail that confirms the address.';
comment on column guests.confirmed_at is 'When they proved that the address is theirs.';
comment on column guests.visits is 'Sign-ins at a portal.';

comment on column outbox_mails.held_at is 'Since when it waits for its customer''s address to be confirmed; null: it does not.';
comment on column outbox_mails.message_key is 'A mail that has one is written once, and known by it wherever it arrives a second time.';
comment on column outbox_mails.good_until is 'Of a link in it: it is not sent later.';
comment on column outbox_mails.stop_url is 'Where its recipient ends mails of this kind.';
comment on column outbox_mails.about_id is 'The record it is about; its kind says of which table.';
comment on column outbox_mails.asked_by_user_id is 'Who asked for it; asked again when it goes. Null: nobody did.';
comment on column outbox_mails.asked_right is 'The right by which it was asked for, `accounts:desk`; asked again when it goes.';
comment on column outbox_mails.counted is 'Against the customer''s limits; what waits for its turn is counted when that comes.';

comment on column outbox_texts.mobile_number is 'In E.164.';
comment on column outbox_texts.good_until is 'Of the code in it: it is not sent later.';
comment on column outbox_texts.asked_right is 'The right by which it was asked for; asked again when it goes.';
comment on column outbox_texts.counted is 'Against the customer''s limits; what waits for its turn is counted when that comes.';

comment on column packed_sessions.session_ids is 'The ids they had in radius_sessions, in the order in which they began.';
comment on column packed_sessions.ipv6s is 'Addresses and prefixes, with blanks between.';
comment on column packed_sessions.address_session_ids is 'Of the arrays that begin with address: the session of each address.';

comment on column radius_authorisations.identifier is
  'What was typed or asked for; of a voucher the last four characters alone, once its code is sealed.';
comment on column radius_authorisations.reason is 'Why it was answered so, as server/admission says it.';
comment on column radius_authorisations.ends_at is 'When what was granted is over; null: it is not limited.';
comment on column radius_authorisations.class_of is 'The attempt whose Class this answer repeats; null: it has one of its own.';
comment on column radius_authorisations.guessed_at is
  'The account, voucher or room whose secret was tried from a device that is unknown at the property or has tried too often, `account 5`.';
comment on column radius_authorisations.fitted is 'That secret was right, and the device had to wait all the same.';

comment on column radius_sessions.session_key is
  'Acct-Session-Id and the gateway''s name: what its reports are matched by. `erased` and its id once its guest is erased.';
comment on column radius_sessions.generation is
  'How often its gateway had begun to count its sessions from 1 again when this one began: the same key is another session then.';
comment on column radius_sessions.identifier is
  'What the guest signed in with, as lists show it; of a voucher the last four characters alone, once its code is sealed.';
comment on column radius_sessions.username is 'The User-Name of its reports.';
comment on column radius_sessions.mac_address is 'Of the device; a random one once its guest is erased.';
comment on column radius_sessions.calling_station is 'The device as its gateway writes it, for requests to the gateway.';
comment on column radius_sessions.ip is 'The newest IPv4 address; session_addresses has all of them.';
comment on column radius_sessions.ipv6 is 'The IPv6 addresses and prefixes that it has now.';
comment on column radius_sessions.last_seen_at is 'When its gateway last reported it.';
comment on column radius_sessions.seconds is 'Time online, the highest that was reported.';
comment on column radius_sessions.bytes_up is 'From the guest, the highest that was reported.';
comment on column radius_sessions.bytes_down is 'To the guest, the highest that was reported.';
comment on column radius_sessions.days is
  'By local day the highest counters that were reported on it, {day: [seconds, bytes up, bytes down]}, counted from its beginning: a '
  'day''s own part is what it adds to the day before.';
comment on column radius_sessions.terms is
  'Of the package when it was let in, {speed_mbps, volume_gb, session_time_hrs}; null: as the package is now.';
comment on column radius_sessions.stop_inferred is 'Nobody reported its end: it was given up when nothing was heard of it any more.';
comment on column radius_sessions.authorisation_id is 'The attempt in radius_authorisations that let it in.';
comment on column radius_sessions.accepted_at is 'When that attempt was answered.';
comment on column radius_sessions.ends_at is 'When its time is over by what it was let in with; null: it is not limited.';
comment on column radius_sessions.disconnect_asked_at is 'When we wanted it ended.';
comment on column radius_sessions.disconnect_for is 'Why we wanted it ended, as its termination cause says then.';
comment on column radius_sessions.disconnect_agreed_at is 'When its gateway agreed to end it; its last report may still come.';
comment on column radius_sessions.disconnect_unknown_at is 'When its gateway last said that it knows no such session.';
comment on column radius_sessions.termination_cause is 'Acct-Terminate-Cause of its last report, or why we ended it.';
comment on column radius_sessions.box_session is 'The name by which the box takes requests about it, where that is not Acct-Session-Id.';
comment on column radius_sessions.trial_id is 'The simulated gateway of the trial that it belongs to; it goes with the trial.';

comment on column rate_limits.key is 'The bucket: what is counted, and of whom.';
comment on column rate_limits.expires_at is 'When counting begins anew.';

comment on column session_days.day is 'By the property''s clock.';
comment on column session_days.group_id is 'Of the property when the session began.';
comment on column session_days.seconds is 'Of that day alone; of all sessions together.';
comment on column session_days.bytes_up is 'From guests.';
comment on column session_days.bytes_down is 'To guests.';

comment on column sessions.token_hash is 'SHA-256 of the token in the person''s cookie.';
comment on column sessions.handle is 'What a person is shown to end it by; it says nothing of the token.';
comment on column sessions.proven_at is 'When the password was given again; null: not since the sign-in.';

comment on column usage_periods.starts_at is 'When the day began, by the property''s clock; `-infinity`: older days, added up.';
comment on column usage_periods.seconds_used is 'Of the day, over all devices.';
comment on column usage_periods.bytes_used is 'Of the day, up and down together.';
