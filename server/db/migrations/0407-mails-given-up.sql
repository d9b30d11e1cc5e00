-- Mails that were tried as often as they are, and failed, are over: what they said is forgotten, as that of text messages is, and the
-- row goes with others of its age. Until now they stayed for ever as if they were still to be sent.
update outbox_mails set failed_at = now(), text = '(not sent)', file_id = null, stop_url = null
where sent_at is null and failed_at is null and held_at is null and attempts > 12;
