-- After a second change within a day three sign, not both.

comment on table webhook_secrets is 'Secrets that deliveries are signed with, sealed; one that was replaced signs for another day.';
